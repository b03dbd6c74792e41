"""The inputs of returns.

Why: docs/decisions/returns.md#customers-name-neither-price-nor-location.
"""

from typing import Any

from kit.rest.requests.input_fields import BooleanField, CharField, DictField, IntegerField, ListSerializer
from kit.rest.requests.inputs import Input
from orders.api.serializers.inputs.return_shipping import ReturnShippingInput, StaffReturnShippingInput
from orders.fulfillments.requested_items import ItemQuantity
from orders.returns.creation import NewReturnItem, ReturnDetails
from orders.returns.notes import LONGEST_NOTE
from orders.returns.receipt import ReceivedItem


class ReturnItemInput(Input):
    """Units of a line to return."""

    id = CharField(allow_blank=False, help_text="The id of the order's line.")
    quantity = IntegerField(min_value=1)
    reason_id = CharField(required=False, allow_null=True, help_text="A return reason without child reasons.")
    note = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return _new_item(super().to_internal_value(data))


class ReturnRequestInput(Input):
    """A customer's request to return units of an order."""

    order_id = CharField(allow_blank=False)
    items = ListSerializer(child=ReturnItemInput())
    return_shipping = ReturnShippingInput(required=False, allow_null=True)
    note = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return _with_details(super().to_internal_value(data))


class ItemNotesInput(Input):
    """What staff say about an item of a return. Metadata is merged."""

    reason_id = CharField(required=False, allow_null=True, help_text="A return reason without child reasons.")
    internal_note = CharField(
        required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="The `note` of the item."
    )
    metadata = DictField(required=False, allow_null=True)


class DescribedItemInput(ItemNotesInput):
    """What staff say about units of a line."""

    id = CharField(allow_blank=False, help_text="The id of the order's line.")
    quantity = IntegerField(min_value=1)
    description = CharField(
        required=False,
        allow_null=True,
        max_length=LONGEST_NOTE,
        help_text="The `note` of the item, if `internal_note` is omitted.",
    )


class PreparedItemInput(DescribedItemInput):
    """Units of a line to return, in a return that staff prepare."""

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return _new_item(_with_note(super().to_internal_value(data)))


class PreparedItemsInput(Input):
    """Items for an open return."""

    items = ListSerializer(child=PreparedItemInput())


class PreparedItemChangesInput(ItemNotesInput):
    """Changes to an item of an open return. Metadata is merged."""

    quantity = IntegerField(required=False, min_value=1)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return _with_note(super().to_internal_value(data))


class NewReturnInput(Input):
    """A return that staff begin."""

    order_id = CharField(allow_blank=False)
    location_id = CharField(required=False, allow_null=True, help_text="Where its items are restocked.")
    description = CharField(
        required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="The `note` of the return."
    )
    internal_note = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)
    no_notification = BooleanField(required=False, allow_null=True)
    metadata = DictField(required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        if "description" in values:
            values["note"] = values.pop("description")
        return _with_details(values)


class RequestedReturnInput(NewReturnInput):
    """A return that staff request in one step."""

    items = ListSerializer(child=PreparedItemInput())
    return_shipping = StaffReturnShippingInput(required=False, allow_null=True)


class ReturnChangesInput(Input):
    """Changes to a return. Metadata is merged."""

    location_id = CharField(required=False, allow_null=True)
    no_notification = BooleanField(required=False, allow_null=True)
    metadata = DictField(required=False, allow_null=True)


class ReturnConfirmationInput(Input):
    """The request or the receipt of a return."""

    no_notification = BooleanField(required=False, allow_null=True)


class ReceiptNoteInput(Input):
    """Notes about a receipt. Metadata is merged with that of the return."""

    internal_note = CharField(
        required=False, max_length=LONGEST_NOTE, help_text="Replaces the `internal_note` of the return."
    )
    description = CharField(
        required=False, max_length=LONGEST_NOTE, help_text="The same, if `internal_note` is omitted."
    )
    metadata = DictField(required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        if "description" in values:
            values = {"internal_note": values.pop("description"), **values}
        return values


class RecountInput(PreparedItemChangesInput):
    """Units of an item that arrived, and changes to the item. Metadata is merged."""


class ArrivedItemsInput(Input):
    """Units that arrived, and changes to the return's items with them. Metadata is merged."""

    items = ListSerializer(child=DescribedItemInput())

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        items = super().to_internal_value(data)["items"]
        units = [ItemQuantity(each.pop("id"), each.pop("quantity")) for each in items]
        return {
            "items": units,
            "changes": {one.line_id: _with_note(each) for one, each in zip(units, items, strict=True)},
        }


class ReceivedItemInput(Input):
    """Received units of a line."""

    id = CharField(allow_blank=False, help_text="The id of the order's line.")
    quantity = IntegerField(required=False, min_value=0, help_text="Undamaged units, which are restocked.")
    damaged_quantity = IntegerField(required=False, min_value=0, help_text="Damaged units, which are not.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return ReceivedItem(values.pop("id"), **values)


class ReceiptInput(Input):
    """Received units of a return."""

    items = ListSerializer(child=ReceivedItemInput())
    location_id = CharField(
        required=False,
        allow_null=True,
        help_text="Where they are restocked, by default at the return's location, or where they were shipped from.",
    )


def _new_item(values: dict[str, Any]) -> NewReturnItem:
    return NewReturnItem(values.pop("id"), **values)


def _with_note(values: dict[str, Any]) -> dict[str, Any]:
    """`internal_note`, or else `description`, by its name in the verbs."""
    for name in ("internal_note", "description"):
        if name in values:
            note = values.pop(name)
            values.setdefault("note", note)
    return values


def _with_details(values: dict[str, Any]) -> dict[str, Any]:
    """The values with all except the order and its items as the details of the return."""
    own: dict[str, Any] = {name: values.pop(name) for name in ("order_id", "items") if name in values}
    if "return_shipping" in values:
        values["shipping"] = values.pop("return_shipping")
    return {**own, "details": ReturnDetails(**values)}
