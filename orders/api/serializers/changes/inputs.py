"""What staff and programs send to edit an order."""

from typing import Any, cast

from kit.rest.requests.input_fields import (
    BooleanField,
    CharField,
    DecimalField,
    DictField,
    IntegerField,
    ListSerializer,
)
from kit.rest.requests.inputs import Input
from orders.changes.added_lines import NewItem
from orders.changes.items import ItemTexts, LineChange
from orders.changes.shipping import NewMethod
from orders.returns.notes import LONGEST_NOTE

_PRICE = "In major units. The permission `orders.set_price` is required."


def _note() -> CharField:
    return CharField(required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="For staff.")


def _muted() -> BooleanField:
    told = "Whether the customer gets no email once it is confirmed."
    return BooleanField(required=False, allow_null=True, help_text=told)


def _carrying() -> BooleanField:
    told = "Whether the order's promotions apply anew to all lines. Otherwise its discounts stay as they are."
    return BooleanField(required=False, help_text=told)


def _version() -> IntegerField:
    return IntegerField(
        required=False, min_value=1, help_text="Of the order, as it was read: refused if the order has changed since."
    )


class EditTextsInput(Input):
    """What staff say about an edit."""

    description = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)
    internal_note = _note()
    metadata = DictField(required=False, allow_null=True)


class NewEditInput(EditTextsInput):
    """The order to edit."""

    order_id = CharField(allow_blank=False)


class EditRequestInput(Input):
    """Marking an edit as ready."""

    no_notification = _muted()
    version = _version()


class EditConfirmationInput(Input):
    """Confirming an edit."""

    no_notification = _muted()
    version = _version()


class EditPropertiesInput(Input):
    """The properties of an open edit."""

    carry_over_promotions = _carrying()
    internal_note = _note()


class ItemTextsInput(Input):
    """What staff say about a line. Metadata is merged."""

    internal_note = _note()
    metadata = DictField(required=False, allow_null=True)


class AddedItemInput(ItemTextsInput):
    """A variant to add."""

    variant_id = CharField(allow_blank=False)
    quantity = IntegerField(min_value=1)
    unit_price = DecimalField(required=False, help_text=f"Instead of the catalogue's price. {_PRICE}")
    compare_at_unit_price = DecimalField(required=False, allow_null=True, help_text=_PRICE)
    allow_backorder = BooleanField(required=False, help_text="True is refused unless the variant allows backorders.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return NewItem(**super().to_internal_value(data))


class AddedItemsInput(Input):
    """Variants to add."""

    items = ListSerializer(child=AddedItemInput())


class AddedItemChangesInput(ItemTextsInput):
    """Changes to a line that an edit adds. Metadata is merged."""

    quantity = IntegerField(required=False, min_value=1, help_text="It keeps the price.")
    unit_price = DecimalField(required=False, help_text=_PRICE)
    compare_at_unit_price = DecimalField(required=False, allow_null=True, help_text=_PRICE)


class LineChangesInput(ItemTextsInput):
    """Changes to a line of the order. Metadata is merged with that of the line."""

    quantity = IntegerField(min_value=0, help_text="At least the fulfilled units. 0 removes the line.")
    unit_price = DecimalField(required=False, help_text=f"While nothing is fulfilled. {_PRICE}")


class AddedMethodChangesInput(ItemTextsInput):
    """Changes to a shipping method that an edit adds. Metadata is merged."""

    custom_amount = DecimalField(
        required=False, allow_null=True, help_text=f"Instead of the option's price; null for that. {_PRICE}"
    )


class NewMethodInput(AddedMethodChangesInput):
    """A shipping method to add."""

    shipping_option_id = CharField(allow_blank=False, help_text="A shipping option that serves the order's address.")
    description = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return NewMethod(texts=_texts(values), **values)


class AddedMethodInput(NewMethodInput):
    """A shipping method to add."""

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        return {"method": super().to_internal_value(data)}


class NamedLineChangesInput(LineChangesInput):
    """Changes to a line of the order, with its id."""

    id = CharField(allow_blank=False, help_text="The id of the order's line.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return LineChange(values["id"], values["quantity"], values.get("unit_price"), _texts(values))


class WholeEditInput(EditTextsInput):
    """An edit that is confirmed at once."""

    added_items = ListSerializer(child=AddedItemInput(), required=False)
    changed_items = ListSerializer(child=NamedLineChangesInput(), required=False)
    shipping_methods = ListSerializer(child=NewMethodInput(), required=False)
    carry_over_promotions = _carrying()
    no_notification = _muted()
    version = _version()


def _texts(values: dict[str, Any]) -> ItemTexts:
    """Takes the note and the metadata out of the values."""
    return cast("ItemTexts", {name: values.pop(name) for name in ("internal_note", "metadata") if name in values})
