"""Price lists, as staff maintain them. Prices of a deleted list do not apply."""

from collections.abc import Sequence

from catalog.models import PriceList
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


def _refuse_empty_periods(edits: RowEdits[PriceList], _: Sequence[RowState]) -> None:
    for index, row in enumerate(edits.rows):
        if row.starts_at and row.ends_at and row.starts_at >= row.ends_at:
            edits.refuse(index, "ends_at", InvalidData("The end must be after the start."))


VERBS = RowVerbs(
    PriceList,
    ("title", "description", "type", "status", "starts_at", "ends_at"),
    check=_refuse_empty_periods,
    delete=delete_rows,
    restore=restore_rows,
)
"""A list is valid from starts_at until before ends_at."""
