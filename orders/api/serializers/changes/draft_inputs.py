"""What staff and programs send about draft orders."""

from typing import Any

from carts.api.serializers.inputs import CartAddressInput
from carts.details.details import LONGEST_LOCALE
from carts.details.line_replacement import WantedLine
from carts.lines.lines import MAX_LINES, MAX_QUANTITY
from kit.rest.requests.input_fields import (
    BooleanField,
    CharField,
    ChoiceField,
    DecimalField,
    DictField,
    IntegerField,
    ListField,
    ListSerializer,
)
from kit.rest.requests.inputs import Input
from kit.values.email_address import LONGEST as LONGEST_EMAIL
from orders.drafts.items import DraftItem, DraftLineChange
from orders.drafts.methods import DraftMethod
from orders.drafts.shipping import MethodChange
from orders.returns.notes import LONGEST_NOTE

_PRICE = "In major units. The permission `orders.set_price` is required."
_TERMS = ("unit_price", "compare_at_unit_price", "internal_note", "metadata")
_IGNORED = ("variant_sku", "variant_barcode", "sku", "barcode")


class _PricedInput(Input):
    """The prices of a line."""

    unit_price = DecimalField(required=False, allow_null=True, help_text=f"Instead of the catalogue's price. {_PRICE}")
    compare_at_unit_price = DecimalField(required=False, allow_null=True, help_text=_PRICE)
    metadata = DictField(required=False, allow_null=True)


class NewDraftItemInput(_PricedInput):
    """A line of a new draft: a variant, or a title with a price."""

    variant_id = CharField(required=False, allow_null=True)
    title = CharField(required=False, allow_null=True, help_text="Of a line without a variant.")
    quantity = IntegerField(min_value=1, max_value=MAX_QUANTITY)
    requires_shipping = BooleanField(required=False, help_text="Of a line without a variant.")
    variant_sku = CharField(
        required=False, allow_null=True, help_text="Ignored, as are `variant_barcode`, `sku` and `barcode`."
    )
    variant_barcode = CharField(required=False, allow_null=True)
    sku = CharField(required=False, allow_null=True)
    barcode = CharField(required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        if values.get("variant_id") is not None:
            values.pop("title", None)
        return WantedLine(**{name: value for name, value in values.items() if name not in _IGNORED})


class NewDraftMethodInput(Input):
    """A shipping method of a new draft."""

    shipping_option_id = CharField(allow_blank=False)
    custom_amount = DecimalField(required=False, allow_null=True, help_text=f"Instead of the option's price. {_PRICE}")
    name = CharField(required=False, allow_null=True, help_text="Ignored: the option has one.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        values.pop("name", None)
        return DraftMethod(**values)


class DraftDetailsInput(Input):
    """What a draft says of itself. An address is replaced, metadata is merged."""

    email = CharField(required=False, allow_null=True, max_length=LONGEST_EMAIL)
    customer_id = CharField(required=False, allow_null=True)
    sales_channel_id = CharField(required=False)
    shipping_address = CartAddressInput(required=False, allow_null=True)
    billing_address = CartAddressInput(required=False, allow_null=True)
    locale = CharField(required=False, allow_null=True, max_length=LONGEST_LOCALE)
    metadata = DictField(required=False, allow_null=True)


class NewDraftInput(DraftDetailsInput):
    """A new draft."""

    region_id = CharField(allow_blank=False)
    currency_code = CharField(required=False, allow_null=True, help_text="The currency of the region, ISO 4217.")
    items = ListSerializer(child=NewDraftItemInput(), required=False, max_length=MAX_LINES)
    shipping_methods = ListSerializer(child=NewDraftMethodInput(), required=False)
    promo_codes = ListField(required=False)
    no_notification_order = BooleanField(
        required=False, allow_null=True, help_text="Whether the customer gets no emails about the order."
    )
    status = ChoiceField(choices=["completed"], required=False, help_text="Ignored.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        values.pop("status", None)
        if "no_notification_order" in values:
            values["no_notification"] = values.pop("no_notification_order")
        return values


class DraftTextsInput(Input):
    """What staff say about a change of a draft."""

    description = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)
    internal_note = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="For staff.")
    metadata = DictField(required=False, allow_null=True)


class _ItemTextsInput(_PricedInput):
    internal_note = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="For staff.")


class DraftItemInput(_ItemTextsInput):
    """A variant to add, or a title with a price."""

    variant_id = CharField(required=False, allow_null=True)
    title = CharField(required=False, allow_null=True, help_text="Of a line without a variant.")
    quantity = IntegerField(min_value=1, max_value=MAX_QUANTITY)

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        terms: Any = {name: values.pop(name) for name in _TERMS if name in values}
        return DraftItem(**values, terms=terms)


class DraftItemsInput(Input):
    """Lines to add."""

    items = ListSerializer(child=DraftItemInput(), max_length=MAX_LINES)


class AddedDraftItemInput(_ItemTextsInput):
    """Changes to a line that a change adds. Metadata is merged."""

    quantity = IntegerField(required=False, min_value=1, max_value=MAX_QUANTITY)


class DraftLineInput(_ItemTextsInput):
    """Changes to a line of the draft. Metadata is merged."""

    quantity = IntegerField(min_value=0, max_value=MAX_QUANTITY, help_text="0 removes the line.")


class DraftMethodChangesInput(Input):
    """Changes to a shipping method."""

    shipping_option_id = CharField(required=False, allow_blank=False)
    custom_amount = DecimalField(
        required=False, allow_null=True, help_text=f"Instead of the option's price; null for that. {_PRICE}"
    )
    description = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE)
    internal_note = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="For staff.")
    metadata = DictField(required=False, allow_null=True)


class DraftMethodInput(DraftMethodChangesInput):
    """A shipping method to add."""

    shipping_option_id = CharField(allow_blank=False, help_text="A shipping option that serves the draft's address.")


class DraftCodesInput(Input):
    """Promotion codes."""

    promo_codes = ListField()


class NamedDraftLineInput(DraftLineInput):
    """Changes to a line of the draft, with its id."""

    id = CharField(allow_blank=False, help_text="The id of the draft's line.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return DraftLineChange(values.pop("id"), values.pop("quantity"), values)


class NamedDraftMethodInput(DraftMethodChangesInput):
    """Changes to a shipping method of the draft, with its id."""

    id = CharField(allow_blank=False, help_text="The id of the draft's shipping method.")

    def to_internal_value(self, data: Any) -> Any:
        """The input, as verbs take it."""
        values = super().to_internal_value(data)
        return MethodChange(values.pop("id"), values)


class WholeDraftEditInput(DraftTextsInput):
    """A change of a draft that is confirmed at once."""

    added_items = ListSerializer(child=DraftItemInput(), required=False, max_length=MAX_LINES)
    changed_items = ListSerializer(child=NamedDraftLineInput(), required=False, max_length=MAX_LINES)
    promo_codes = ListField(required=False, help_text="To add.")
    removed_promo_codes = ListField(required=False)
    shipping_methods = ListSerializer(child=DraftMethodInput(), required=False, help_text="To add.")
    changed_shipping_methods = ListSerializer(child=NamedDraftMethodInput(), required=False)
    removed_shipping_methods = ListField(required=False, help_text="Their ids.")
