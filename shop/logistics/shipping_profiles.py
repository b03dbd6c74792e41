"""Shipping profiles, as staff maintain them."""

from kit.editing.verbs import RowVerbs
from shop.models import ShippingProfile

VERBS = RowVerbs(ShippingProfile, ("name", "type", "metadata"))
