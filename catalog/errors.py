"""What the catalogue refuses."""

from commerce.kit.core.errors import INSUFFICIENT_INVENTORY, Duplicate, InvalidData, NotAllowed, NotFound
from commerce.kit.core.missing_row import RowNotFound


class CategoryNotFound(RowNotFound):
    """No category with that id, or a deleted one."""

    noun = "Product category"


class ParentCategoryNotFound(RowNotFound):
    """The category to be below does not exist, is deleted, or stands in a deleted branch."""

    noun = "Parent category"


class CategoryHasChildren(NotAllowed):
    """Children first: a deleted category may not hide living ones."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"Deleting ProductCategory ({category_id}) with category children is not allowed")


class MoveIntoOwnBranch(NotAllowed):
    """A category cannot stand below itself."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"ProductCategory ({category_id}) cannot be moved below itself or one of its descendants")


class TreeTooDeep(NotAllowed):
    """The branch would end more levels below its root than the tree has."""

    def __init__(self, levels: int) -> None:
        super().__init__(f"A product category can stand at most {levels} levels below a root category")


class ParentCategoryDeleted(NotAllowed):
    """A category cannot come back into a deleted branch."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"ProductCategory ({category_id}) stands in a deleted branch: restore its parent first")


class CategoryNotDeleted(NotAllowed):
    """Only a deleted category can be restored."""

    def __init__(self, category_id: str) -> None:
        super().__init__(f"ProductCategory ({category_id}) is not deleted")


class HandleTaken(Duplicate):
    """Another category that is not deleted has the handle."""

    def __init__(self, handle: str) -> None:
        super().__init__(f"Product category with handle: {handle} already exists")


class HandleRequired(InvalidData):
    """The name holds no letter or digit to make a handle of."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Field 'handle' is required: none can be made from the name '{name}'")


class InventoryLevelNotFound(NotFound):
    """The location does not keep the item, or one of them is deleted."""

    def __init__(self, inventory_item_id: str, location_id: str) -> None:
        super().__init__(f"Item {inventory_item_id} is not stocked at location {location_id}")


class NotEnoughStock(NotAllowed):
    """Less is available than was asked for, and backorder is not allowed."""

    code = INSUFFICIENT_INVENTORY

    def __init__(self, inventory_item_id: str) -> None:
        super().__init__(f"Not enough stock available for item {inventory_item_id}")


class ReservationNotFound(RowNotFound):
    """No reservation with that id, or one that was released."""

    noun = "Reservation"


class ProductNotFound(RowNotFound):
    """No product with that id, or a deleted one."""

    noun = "Product"


class VariantNotFound(RowNotFound):
    """No variant with that id, or a deleted one."""

    noun = "Product variant"


class PriceListNotFound(RowNotFound):
    """No price list with that id, or a deleted one."""

    noun = "Price list"


class OptionValueInUse(NotAllowed):
    """A value goes after the variants that have it."""

    def __init__(self, value: str, variant: str) -> None:
        super().__init__(f"'{value}' cannot go: the variant '{variant}' has it")


class ProductDeleted(NotAllowed):
    """A variant cannot come back to a deleted product."""

    def __init__(self, product: str) -> None:
        super().__init__(f"Its product '{product}' is deleted: restore that first")


class DuplicateVariants(NotAllowed):
    """Two variants of a product with the same value of each option could not be told apart."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"The variants '{one}' and '{other}' would have the same value of each option")


class QuantityRangeEmpty(InvalidData):
    """A price for at least as many as it is for at most."""

    def __init__(self) -> None:
        super().__init__("Value for field 'max_quantity' is below the min_quantity")
