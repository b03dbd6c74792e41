"""The inventory items that one piece of a variant takes, as staff maintain them."""

from collections.abc import Sequence

from catalog.models import VariantInventoryItem
from kit.editing.deletion import remove_rows
from kit.editing.rows import RowEdits
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


def _refuse_none_required(edits: RowEdits[VariantInventoryItem], _: Sequence[RowState]) -> None:
    for index, row in enumerate(edits.rows):
        if row.required_quantity < 1:
            edits.refuse(index, "required_quantity", InvalidData("One piece requires at least 1."))


VERBS = RowVerbs(
    VariantInventoryItem,
    ("variant_id", "inventory_item_id", "required_quantity"),
    check=_refuse_none_required,
    delete=remove_rows,
)
