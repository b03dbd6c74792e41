"""Errors of carts."""

from collections.abc import Collection, Iterable, Mapping

from kit.domain.missing_row import GuessMissed, RowNotFound, missing
from kit.errors import INSUFFICIENT_INVENTORY, InvalidData, NotAllowed, NotFound, listed, shown


class CartNotFound(RowNotFound):
    """There is no cart with that id, or it is not the caller's."""

    noun = "Cart"


class LineItemNotFound(RowNotFound):
    """The cart has no line with that id."""

    noun = "Line item"


class NoRegion(NotFound):
    """A cart needs a region, and there is none."""

    message = "No regions found"


class CartCompleted(InvalidData):
    """A completed cart does not change, and gets no payment collection."""

    def __init__(self, cart_id: str) -> None:
        super().__init__(f"Cart {cart_id} is already completed.")


class CountryOutsideRegion(InvalidData):
    """The shipping address is outside the cart's region."""

    def __init__(self, country_code: str) -> None:
        super().__init__(f"Country with code {country_code} is not within the region of the cart")


class SalesChannelNeeded(InvalidData):
    """A cart has one sales channel; the caller's key has none, or several."""

    message = "Field 'sales_channel_id' is required unless the API key has exactly one sales channel"


class SalesChannelClosed(InvalidData):
    """The caller's key does not have the sales channel."""

    def __init__(self, sales_channel_id: str) -> None:
        super().__init__(
            f"Sales channel '{sales_channel_id}' of field 'sales_channel_id' is not available to the API key"
        )


class VariantsNotSold(InvalidData):
    """The sales channel of a cart or an order does not sell these variants, whose titles it does not show either."""

    def __init__(self, variant_ids: Collection[str], *, owner: str = "cart") -> None:
        super().__init__(f"{missing('Product variant', *sorted(variant_ids))} in the {owner}'s sales channel")
        self.variant_ids = variant_ids


class LinesNotSold(InvalidData):
    """The cart's sales channel no longer sells what these lines contain."""

    def __init__(self, titles: Iterable[str]) -> None:
        super().__init__(f"Remove from the cart what is no longer available: {listed(titles)}")


class LinesWithoutPrice(InvalidData):
    """No price matches the quantity of these lines, the currency and the region."""

    def __init__(self, titles: Iterable[str], line_ids: Collection[str] = ()) -> None:
        super().__init__(f"No price in this quantity and region for {listed(titles)}")
        self.line_ids = line_ids


class LinesOutOfStock(NotAllowed):
    """The available stock is below the quantity of these lines."""

    code = INSUFFICIENT_INVENTORY

    def __init__(self, titles: Iterable[str], details: Mapping[str, object] | None = None) -> None:
        super().__init__(f"Not enough stock available for {listed(titles)}")
        self.details = details


class GiftCardInDraft(InvalidData):
    """Gift cards are bought in a shopper's cart."""

    def __init__(self, title: str) -> None:
        super().__init__(f"'{shown(title)}' is a gift card, which cannot be added to a draft order")


class PromotionCodeInvalid(GuessMissed, InvalidData):
    """No active promotion has that code and fits the cart. codes: all that are invalid."""

    noun = "Promotion code"

    def __init__(self, code: str, *more: str) -> None:
        self.guess, self.codes = code.strip().upper(), (code, *more)
        super().__init__(f"The promotion code {shown(code)} is invalid")


class PromotionNotFound(NotFound):
    """No promotion has that id, or that code."""

    def __init__(self, id_or_code: str) -> None:
        super().__init__(f"Promotion with id or code: {shown(id_or_code)} was not found")


class TooManyCodes(InvalidData):
    """The number of promotion codes of a cart is limited."""

    def __init__(self, most: int) -> None:
        super().__init__(f"A cart can have at most {most} promotion codes")


class PromotionUsedUp(NotAllowed):
    """The promotion has been used as often as its limits allow, in all or by this customer."""

    def __init__(self, code: str) -> None:
        super().__init__(f"The promotion {shown(code)} has been used up")


class MethodNotPossible(InvalidData):
    """The shipping option does not deliver this cart, has no price for it, or needs its provider's price."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The shipping option '{shown(name)}' does not deliver this cart, or has no price for it")


class QuantityTooLarge(InvalidData):
    """The quantity of a line is limited."""

    def __init__(self, most: int) -> None:
        super().__init__(f"Value for field 'quantity' too big, expected at most: '{most}'")


class TooManyLines(InvalidData):
    """The number of lines in a cart is limited."""

    def __init__(self, most: int) -> None:
        super().__init__(f"A cart can have at most {most} line items")


class TooMuchMetadata(InvalidData):
    """Every answer with a cart holds the metadata of all its lines, so their size is limited."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The line items of a cart can have at most {most} bytes of metadata together")


class CartTotalTooLarge(InvalidData):
    """The total exceeds the largest amount that can be stored."""

    message = "The total of the cart would be out of bounds"
