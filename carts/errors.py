"""What the carts refuse."""

from collections.abc import Iterable

from commerce.kit.core.errors import INSUFFICIENT_INVENTORY, InvalidData, NotAllowed, NotFound
from commerce.kit.core.missing_row import RowNotFound, missing
from commerce.kit.core.paging import shown

_MOST_NAMED = 10


class CartNotFound(RowNotFound):
    """No cart with that id, or one of somebody else's."""

    noun = "Cart"


class LineItemNotFound(RowNotFound):
    """The cart has no line with that id."""

    noun = "Line item"


class NoRegion(NotFound):
    """A cart is in a region, and none is known."""

    def __init__(self) -> None:
        super().__init__("No regions found")


class CartCompleted(NotAllowed):
    """What was bought stands as it was."""

    def __init__(self, cart_id: str) -> None:
        super().__init__(f"Cart with id: {cart_id} is completed and can no longer be changed")


class CountryOutsideRegion(InvalidData):
    """Goods go to countries of the cart's region."""

    def __init__(self, country_code: str) -> None:
        super().__init__(f"Country with code {country_code} is not within the region of the cart")


class SalesChannelNeeded(InvalidData):
    """A cart belongs to one channel, and the caller's key opens none, or several."""

    def __init__(self) -> None:
        super().__init__("Field 'sales_channel_id' is required unless the API key has exactly one sales channel")


class SalesChannelClosed(InvalidData):
    """The caller's key does not open the channel."""

    def __init__(self, sales_channel_id: str) -> None:
        super().__init__(
            f"Sales channel '{sales_channel_id}' of field 'sales_channel_id' is not available to the API key"
        )


class VariantsNotSold(InvalidData):
    """The ids name nothing that the cart's channel sells."""

    def __init__(self, variant_ids: Iterable[str]) -> None:
        super().__init__(f"{missing('Product variant', *sorted(variant_ids))} in the cart's sales channel")


class VariantsWithoutPrice(InvalidData):
    """Nothing says what so many pieces cost in the cart's currency and region."""

    def __init__(self, variant_ids: Iterable[str]) -> None:
        super().__init__(f"Variants with IDs {', '.join(_named(variant_ids))} do not have a price")


class VariantsOutOfStock(NotAllowed):
    """Less is available than the cart would hold."""

    code = INSUFFICIENT_INVENTORY

    def __init__(self, variant_ids: Iterable[str]) -> None:
        super().__init__(f"Variants with IDs {', '.join(_named(variant_ids))} are not in stock in that quantity")


class PromotionCodeInvalid(InvalidData):
    """No promotion of that code holds now for this cart."""

    def __init__(self, code: str) -> None:
        super().__init__(f"The promotion code {shown(code)} is invalid")


class QuantityTooLarge(InvalidData):
    """A line has at most so many."""

    def __init__(self, most: int) -> None:
        super().__init__(f"Value for field 'quantity' too big, expected at most: '{most}'")


class TooManyLines(InvalidData):
    """A cart has at most so many."""

    def __init__(self, most: int) -> None:
        super().__init__(f"A cart can have at most {most} line items")


class TooMuchMetadata(InvalidData):
    """Who asks for a cart is shown the metadata of all its lines."""

    def __init__(self, most: int) -> None:
        super().__init__(f"The line items of a cart can have at most {most} bytes of metadata together")


class CartTotalTooLarge(InvalidData):
    """The sum is beyond the amounts that are kept."""

    def __init__(self) -> None:
        super().__init__("The total of the cart would be out of bounds")


def _named(ids: Iterable[str]) -> list[str]:
    """The first of them, each cut: there may be as many as a cart has lines."""
    return [shown(each) for each in sorted(ids)[:_MOST_NAMED]]
