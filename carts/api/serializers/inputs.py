"""What may be sent to change a cart."""

from carts.details import LONGEST_LOCALE
from carts.lines import MOST_LINES, MOST_PIECES
from commerce.kit.api.inputs import Input, Inputs, Metadata, Text, Texts, WholeNumber
from commerce.kit.core.email_address import LONGEST as LONGEST_EMAIL
from commerce.shop.api.serializers import PostalAddressInput


class CartAddressInput(PostalAddressInput):
    """An address; what is left out is null, or as in the address that `id` names."""

    id = Text(required=False, help_text="Of an address of the customer's book, or of a cart that the caller may see.")

    def to_internal_value(self, data: object) -> dict[str, object]:
        """The id may stand alone, as a text."""
        values: dict[str, object] = super().to_internal_value({"id": data} if isinstance(data, str) else data)
        return values


class LineItemInput(Input):
    """Pieces of a variant to put into the cart."""

    variant_id = Text()
    quantity = WholeNumber(min_value=1, max_value=MOST_PIECES)
    metadata = Metadata(required=False, allow_null=True)


class LineItemChangeInput(Input):
    """What is to change of a line."""

    quantity = WholeNumber(min_value=0, max_value=MOST_PIECES, help_text="0 takes the line out.")
    metadata = Metadata(required=False, allow_null=True)


class NamedLineItemInput(Input):
    """A line of the cart, where no path names it."""

    line_id = Text()


class NamedLineItemChangeInput(LineItemChangeInput):
    """What is to change of which line."""

    line_id = Text()


class CartChangeInput(Input):
    """What is to change of a cart."""

    region_id = Text(required=False)
    sales_channel_id = Text(required=False, help_text="One of the key's; for a new cart its only one where left out.")
    email = Text(required=False, allow_null=True, max_length=LONGEST_EMAIL)
    shipping_address = CartAddressInput(required=False, allow_null=True)
    billing_address = CartAddressInput(required=False, allow_null=True)
    promo_codes = Texts(required=False, help_text="All codes that shall apply.")
    metadata = Metadata(required=False, allow_null=True)
    locale = Text(required=False, allow_null=True, max_length=LONGEST_LOCALE)


class CartInput(CartChangeInput):
    """A new cart."""

    currency_code = Text(required=False, help_text="The region's own, ISO 4217.")
    items = Inputs(child=LineItemInput(), required=False, max_length=MOST_LINES)
    additional_data = Metadata(required=False, allow_null=True, help_text="Accepted, and of no effect.")

    def to_internal_value(self, data: object) -> dict[str, object]:
        """Without the additional data: nothing here is built on it."""
        values: dict[str, object] = super().to_internal_value(data)
        values.pop("additional_data", None)
        return values


class PromotionCodesInput(Input):
    """Codes of promotions."""

    promo_codes = Texts()
