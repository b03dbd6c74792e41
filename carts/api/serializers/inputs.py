"""What may be sent to change a cart."""

from typing import Any

from carts.details import LONGEST_LOCALE
from carts.lines import MOST_LINES, MOST_PIECES
from commerce.kit.api.input_fields import CharField, DictField, IntegerField, ListField, ListSerializer
from commerce.kit.api.inputs import Input
from commerce.kit.core.email_address import LONGEST as LONGEST_EMAIL
from commerce.shop.api.serializers import PostalAddressInput


class CartAddressInput(PostalAddressInput):
    """An address; what is left out is null, or as in the address that `id` names."""

    id = CharField(
        required=False, help_text="Of an address of the customer's book, or of a cart that the caller may see."
    )

    def to_internal_value(self, data: Any) -> Any:
        """The id may stand alone, as a text."""
        return super().to_internal_value({"id": data} if isinstance(data, str) else data)


class LineItemInput(Input):
    """Pieces of a variant to put into the cart."""

    variant_id = CharField()
    quantity = IntegerField(min_value=1, max_value=MOST_PIECES)
    metadata = DictField(required=False, allow_null=True)


class LineItemChangeInput(Input):
    """What is to change of a line."""

    quantity = IntegerField(min_value=0, max_value=MOST_PIECES, help_text="0 takes the line out.")
    metadata = DictField(required=False, allow_null=True)


class NamedLineItemInput(Input):
    """A line of the cart, where no path names it."""

    line_id = CharField()


class NamedLineItemChangeInput(LineItemChangeInput):
    """What is to change of which line."""

    line_id = CharField()


class CartChangeInput(Input):
    """What is to change of a cart."""

    region_id = CharField(required=False)
    sales_channel_id = CharField(
        required=False, help_text="One of the key's; for a new cart its only one where left out."
    )
    email = CharField(required=False, allow_null=True, max_length=LONGEST_EMAIL)
    shipping_address = CartAddressInput(required=False, allow_null=True)
    billing_address = CartAddressInput(required=False, allow_null=True)
    promo_codes = ListField(required=False, help_text="All codes that shall apply.")
    metadata = DictField(required=False, allow_null=True)
    locale = CharField(required=False, allow_null=True, max_length=LONGEST_LOCALE)


class CartInput(CartChangeInput):
    """A new cart."""

    currency_code = CharField(required=False, help_text="The region's own, ISO 4217.")
    items = ListSerializer(child=LineItemInput(), required=False, max_length=MOST_LINES)
    additional_data = DictField(required=False, allow_null=True, help_text="Accepted, and of no effect.")

    def to_internal_value(self, data: Any) -> Any:
        """Without the additional data: nothing here is built on it."""
        values = super().to_internal_value(data)
        values.pop("additional_data", None)
        return values


class PromotionCodesInput(Input):
    """Codes of promotions."""

    promo_codes = ListField()
