"""The rules of price lists, as staff maintain them."""

from catalog.models import PriceListRule
from kit.editing.deletion import remove_rows
from kit.editing.verbs import RowVerbs

VERBS = RowVerbs(PriceListRule, ("price_list_id", "attribute", "value"), delete=remove_rows)
"""value: the texts of which the buyer's attribute must be one. A list has one rule for each attribute."""
