"""Currencies, as staff maintain them: ISO 4217 defines all but whether their amounts include tax."""

from kit.editing.verbs import RowVerbs
from shop.models import Currency

VERBS = RowVerbs(Currency, ("is_tax_inclusive",))
