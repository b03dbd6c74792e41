"""The inputs that change a cart."""

from carts.details.details import LONGEST_LOCALE
from carts.lines.lines import MAX_LINES, MAX_QUANTITY
from kit.rest.requests.input_fields import CharField, DictField, IntegerField, ListField, ListSerializer
from kit.rest.requests.inputs import Input
from kit.values.email_address import LONGEST as LONGEST_EMAIL
from shop.api.serializers import PostalAddressInput


class CartAddressInput(PostalAddressInput):
    """An address. A field that is left out is null, or copied from the address with this `id`."""

    id = CharField(
        required=False,
        help_text="The id of an address to copy: one of the customer's address book, or of a visible cart.",
    )

    def to_internal_value(self, data: object) -> dict[str, object]:
        """The id alone, as a text, is an address too."""
        values: dict[str, object] = super().to_internal_value({"id": data} if isinstance(data, str) else data)
        return values


class LineItemInput(Input):
    """A variant to add to the cart, with its quantity."""

    variant_id = CharField()
    quantity = IntegerField(min_value=1, max_value=MAX_QUANTITY)
    metadata = DictField(required=False, allow_null=True)


class LineItemChangeInput(Input):
    """Changes to a line."""

    quantity = IntegerField(min_value=0, max_value=MAX_QUANTITY, help_text="0 removes the line.")
    metadata = DictField(required=False, allow_null=True)


class NamedLineItemInput(Input):
    """A line of the cart."""

    line_id = CharField()


class NamedLineItemChangeInput(LineItemChangeInput):
    """Changes to the line with this id."""

    line_id = CharField()


class CartChangeInput(Input):
    """Changes to a cart."""

    region_id = CharField(required=False)
    sales_channel_id = CharField(
        required=False, help_text="A sales channel of the API key. A new cart needs it only if the key has several."
    )
    email = CharField(required=False, allow_null=True, max_length=LONGEST_EMAIL)
    shipping_address = CartAddressInput(required=False, allow_null=True)
    billing_address = CartAddressInput(required=False, allow_null=True)
    promo_codes = ListField(
        required=False,
        help_text="They replace the codes of `promotions`. A list that is empty or names one of `skipped_promo_codes` "
        "replaces these, too.",
    )
    metadata = DictField(required=False, allow_null=True)
    locale = CharField(required=False, allow_null=True, max_length=LONGEST_LOCALE)


class CartInput(CartChangeInput):
    """A new cart."""

    currency_code = CharField(required=False, help_text="The currency of the region, ISO 4217.")
    items = ListSerializer(child=LineItemInput(), required=False, max_length=MAX_LINES)
    additional_data = DictField(required=False, allow_null=True, help_text="Accepted, but ignored.")

    def to_internal_value(self, data: object) -> dict[str, object]:
        """Without the additional data, which has no use here."""
        values: dict[str, object] = super().to_internal_value(data)
        values.pop("additional_data", None)
        return values


class PromotionCodesInput(Input):
    """Promotion codes."""

    promo_codes = ListField()
