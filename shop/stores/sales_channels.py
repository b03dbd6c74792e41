"""Sales channels, as staff maintain them."""

from functools import partial

from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.uses import require_unused
from kit.editing.verbs import RowVerbs
from shop.models import SalesChannel

VERBS = RowVerbs(
    SalesChannel,
    ("name", "description", "is_disabled", "metadata"),
    delete=partial(delete_rows, check=require_unused),
    restore=restore_rows,
)
"""Only a channel that nothing refers to can be deleted; others are disabled."""
