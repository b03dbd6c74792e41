"""The errors of stock."""

from collections.abc import Sequence

from django.db import models

from kit.domain.missing_row import RowNotFound
from kit.errors import (
    INSUFFICIENT_INVENTORY,
    MOST_NAMED,
    Conflict,
    DomainError,
    InvalidData,
    NotAllowed,
    NotFound,
    listed,
)


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
        super().__init__(f"Not enough stock available for line items {listed(line_item_ids)}")
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
            for item_id, location_id, stocked in levels[:MOST_NAMED]
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
