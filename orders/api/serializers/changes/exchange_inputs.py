"""What staff and programs send to exchange goods of an order, or to settle a claim about them."""

from typing import Any

from kit.rest.requests.input_fields import BooleanField, CharField, ChoiceField, DictField, IntegerField, ListSerializer
from kit.rest.requests.inputs import Input
from orders.api.serializers.changes.inputs import EditRequestInput, NewEditInput
from orders.exchanges.inbound import ReturnedUnits
from orders.exchanges.written_off import ClaimedUnits
from orders.returns.notes import LONGEST_NOTE
from orders.states import ClaimReason, ClaimType


def _reason_id() -> CharField:
    return CharField(required=False, allow_null=True, help_text="A return reason without child reasons.")


def _note(told: str) -> CharField:
    return CharField(required=False, allow_null=True, max_length=LONGEST_NOTE, help_text=told)


class NewExchangeInput(NewEditInput):
    """The order whose goods are exchanged."""


class ClaimTermsInput(Input):
    """What a claim is about."""

    type = ChoiceField(choices=ClaimType.values, help_text="`replace` sends goods out, `refund` does not.")
    reason_id = _reason_id()

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return {"claim_type": ClaimType(values.pop("type")), **values}


class NewClaimInput(ClaimTermsInput, NewEditInput):
    """The order whose goods are faulty or missing."""


class ChangeRequestInput(EditRequestInput):
    """Requesting an exchange or a claim, which confirms it."""


class ChangeCancellationInput(Input):
    """Canceling an exchange or a claim that was requested."""

    no_notification = BooleanField(required=False, allow_null=True, help_text="Kept with it; nobody gets an email.")


class UnitTextsInput(Input):
    """What staff say about units. Metadata is merged."""

    description = _note("The `note` of the return's item.")
    internal_note = _note("For staff.")
    metadata = DictField(required=False, allow_null=True)


class ReturnedUnitsInput(UnitTextsInput):
    """Units of a line that come back."""

    id = CharField(allow_blank=False, help_text="The id of the order's line.")
    quantity = IntegerField(min_value=1)
    reason_id = _reason_id()

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return ReturnedUnits(values.pop("id"), **values)


class ReturnedItemsInput(Input):
    """Units that come back."""

    items = ListSerializer(child=ReturnedUnitsInput())
    location_id = CharField(required=False, allow_null=True, help_text="Where they are restocked.")


class ReturnedItemChangesInput(UnitTextsInput):
    """Changes to units that come back. Metadata is merged."""

    quantity = IntegerField(required=False, min_value=1)
    reason_id = _reason_id()


class ClaimReasonInput(Input):
    """Why units are claimed."""

    reason = ChoiceField(choices=ClaimReason.values, required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return {**values, "reason": ClaimReason(values["reason"])} if values.get("reason") else values


class ClaimedUnitsInput(ClaimReasonInput, UnitTextsInput):
    """Units of a line that are claimed."""

    id = CharField(allow_blank=False, help_text="The id of the order's line.")
    quantity = IntegerField(min_value=1)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return ClaimedUnits(values.pop("id"), **values)


class ClaimedItemsInput(Input):
    """Units that are claimed."""

    items = ListSerializer(child=ClaimedUnitsInput())


class ClaimedItemChangesInput(ClaimReasonInput, ReturnedItemChangesInput):
    """Changes to claimed units. Metadata is merged."""
