"""Shipping profiles, as staff maintain them."""

from functools import partial

from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.uses import require_unused
from kit.editing.verbs import RowVerbs
from shop.models import ShippingProfile

VERBS = RowVerbs(
    ShippingProfile,
    ("name", "type", "metadata"),
    delete=partial(delete_rows, check=require_unused),
    restore=restore_rows,
)
"""One that products or shipping options have cannot be deleted."""
