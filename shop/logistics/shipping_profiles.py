"""Shipping profiles, as staff maintain them."""

from kit.editing.deletion import restore_rows
from kit.editing.verbs import RowVerbs
from shop.logistics.uses import delete_unused
from shop.models import ShippingProfile

VERBS = RowVerbs(ShippingProfile, ("name", "type", "metadata"), delete=delete_unused, restore=restore_rows)
