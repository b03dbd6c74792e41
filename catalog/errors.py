"""The errors of the catalogue."""

from kit.domain.missing_row import RowNotFound
from kit.errors import Duplicate, InvalidData, NotAllowed


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
