"""Sales channels, as staff maintain them."""

from kit.editing.verbs import RowVerbs
from shop.models import SalesChannel

VERBS = RowVerbs(SalesChannel, ("name", "description", "is_disabled"))
