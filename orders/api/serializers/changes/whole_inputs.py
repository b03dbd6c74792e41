"""Exchanges and claims that staff send as a whole."""

from typing import Any

from kit.rest.requests.input_fields import BooleanField, CharField, ListSerializer
from orders.api.serializers.changes.exchange_inputs import (
    ChangeRequestInput,
    ClaimedUnitsInput,
    ClaimTermsInput,
    ReturnedUnitsInput,
)
from orders.api.serializers.changes.inputs import AddedItemInput, EditTextsInput, NewMethodInput

_NAMES = {"returned_items": "returned", "added_items": "added", "claimed_items": "claimed"}


class WholeExchangeInput(ChangeRequestInput, EditTextsInput):
    """An exchange that is confirmed at once."""

    returned_items = ListSerializer(child=ReturnedUnitsInput(), required=False)
    added_items = ListSerializer(child=AddedItemInput(), required=False)
    inbound_shipping = NewMethodInput(required=False, allow_null=True)
    outbound_shipping = NewMethodInput(required=False, allow_null=True)
    location_id = CharField(required=False, allow_null=True, help_text="Where the returned units are restocked.")
    carry_over_promotions = BooleanField(
        required=False, help_text="Whether the order's promotions apply to the added lines."
    )

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return {_NAMES.get(name, name): value for name, value in super().to_internal_value(data).items()}


class WholeClaimInput(ClaimTermsInput, WholeExchangeInput):
    """A claim that is confirmed at once."""

    claimed_items = ListSerializer(child=ClaimedUnitsInput(), required=False)
