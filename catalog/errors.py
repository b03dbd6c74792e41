"""The errors of the catalogue."""

from collections.abc import Sequence

from django.db import models

from kit.domain.missing_row import RowNotFound
from kit.errors import INSUFFICIENT_INVENTORY, Conflict, DomainError, Duplicate, InvalidData, NotAllowed, NotFound

_MOST_NAMED = 10


class CategoryNotFound(RowNotFound):
    """No category with that id, or a deleted one."""

    noun = "Product category"


class ParentCategoryNotFound(RowNotFound):
    """The parent category does not exist, is deleted, or is in a deleted branch."""

    noun = "Parent category"


class CategoryHasChildren(NotAllowed):
    """A category can be deleted only after its children."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"Deleting ProductCategory ({category_id}) with category children is not allowed")


class MoveIntoOwnBranch(NotAllowed):
    """A category cannot be its own ancestor."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"ProductCategory ({category_id}) cannot be moved below itself or one of its descendants")


class TreeTooDeep(NotAllowed):
    """The branch would be deeper than MAX_DEPTH."""

    def __init__(self, levels: int) -> None:
        super().__init__(f"A product category can be at most {levels} levels below a root category")


class ParentCategoryDeleted(NotAllowed):
    """A category cannot be restored into a deleted branch."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"ProductCategory ({category_id}) is in a deleted branch: restore its parent first")


class CategoryNotDeleted(NotAllowed):
    """Only a deleted category can be restored."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"ProductCategory ({category_id}) is not deleted")


class HandleTaken(Duplicate):
    """Another category that is not deleted has the handle."""

    def __init__(self, handle: str) -> None:
        super().__init__(f"Product category with handle: {handle} already exists")


class HandleRequired(InvalidData):
    """The name has no letters or digits to derive a handle from."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Field 'handle' is required: none can be made from the name '{name}'")


class InventoryLevelNotFound(NotFound):
    """The location does not stock the item, or one of them is deleted."""

    def __init__(self, inventory_item_id: str, location_id: str) -> None:
        super().__init__(f"Item {inventory_item_id} is not stocked at location {location_id}")


class LevelInUse(NotAllowed):
    """A level can be deleted once nothing is reserved there and, unless it is forced, nothing stocked or incoming."""

    def __init__(self, level: models.Model, what: str, quantity: int) -> None:
        super().__init__(f"{level} cannot be deleted: {quantity} {what}")


class ItemReserved(NotAllowed):
    """An inventory item can be deleted once nothing of it is reserved."""

    def __init__(self, level: models.Model, quantity: int) -> None:
        super().__init__(f"The inventory item cannot be deleted: {quantity} reserved of {level}")


class NotEnoughStock(NotAllowed):
    """Less is available than requested, and backorders are not allowed."""

    code = INSUFFICIENT_INVENTORY

    def __init__(self, inventory_item_id: str) -> None:
        super().__init__(f"Not enough stock available for item {inventory_item_id}")


class StockTooLow(NotAllowed):
    """The sales channel has too few pieces for these lines. The message names the first ten, and no item or location.

    line_item_ids: all of them, in the order of the claim.
    """

    code = INSUFFICIENT_INVENTORY

    def __init__(self, line_item_ids: Sequence[str]) -> None:
        super().__init__(f"Not enough stock available for line items {', '.join(line_item_ids[:_MOST_NAMED])}")
        self.line_item_ids = tuple(line_item_ids)


class TooManyStockChanges(InvalidData):
    """More levels than one call can change."""

    def __init__(self, most: int, given: int) -> None:
        super().__init__(f"At most {most} stock levels can be changed at once, got: '{given}'")


class StockMismatch(Conflict):
    """The stock is not what the caller expects. The message names the current stock of the first ten levels.

    levels: for each, the item's id, the location's id, and the pieces in stock.
    """

    def __init__(self, levels: Sequence[tuple[str, str, int]]) -> None:
        stocks = "; ".join(
            f"{stocked} of item {item_id} at location {location_id}"
            for item_id, location_id, stocked in levels[:_MOST_NAMED]
        )
        DomainError.__init__(self, f"The stock differs from the expected quantity. Current stock: {stocks}")


class StockBelowZero(NotAllowed):
    """Less is in stock than the change deducts. Only what was sold on backorder can take stock below 0."""

    code = INSUFFICIENT_INVENTORY

    def __init__(self, inventory_item_id: str, location_id: str, *, stocked: int) -> None:
        super().__init__(
            f"Not enough stock of item {inventory_item_id} at location {location_id}: {max(stocked, 0)} in stock"
        )


class ReservationTooSmall(NotAllowed):
    """Fewer pieces are reserved for the line at the location than the fulfillment deducts."""

    code = INSUFFICIENT_INVENTORY

    def __init__(self, inventory_item_id: str, location_id: str, *, reserved: int, wanted: int) -> None:
        super().__init__(
            f"Quantity to fulfill exceeds the reserved quantity of item {inventory_item_id} at location {location_id}: "
            f"{reserved} reserved, {wanted} wanted"
        )


class InventoryItemNotFound(RowNotFound):
    """No inventory item with that id, or a deleted one."""

    noun = "Inventory item"


class ReservedForLine(NotAllowed):
    """The lines of carts and orders reserve and release stock themselves."""

    def __init__(self, line_item_id: str) -> None:
        super().__init__(
            f"Stock for line item {line_item_id} is reserved by its order: only the location can be changed"
        )


class ProductNotFound(RowNotFound):
    """No product with that id, or a deleted one."""

    noun = "Product"


class PriceListNotFound(RowNotFound):
    """No price list with that id, or a deleted one."""

    noun = "Price list"


class OptionValueInUse(NotAllowed):
    """An option value can be removed only after the variants that use it."""

    def __init__(self, value: str, variant: str) -> None:
        super().__init__(f"'{value}' is used by the variant '{variant}' and cannot be removed")


class DuplicateVariants(NotAllowed):
    """Two variants of a product have the same value for each option."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"The variants '{one}' and '{other}' would have the same option values")


class QuantityRangeEmpty(InvalidData):
    """min_quantity is greater than max_quantity."""

    message = "Value for field 'max_quantity' is below the min_quantity"
