"""The totals that lines, shipping methods and carts share.

What they mean is explained in carts/arithmetic/totals.py.
"""

from kit.reads.declarations.computed import MoneyValue
from kit.reads.declarations.fields import ResourceSerializer


class TotalsSerializer(ResourceSerializer):
    """The totals of a line, a shipping method or a cart."""

    total = MoneyValue()
    subtotal = MoneyValue()
    tax_total = MoneyValue()
    discount_total = MoneyValue()
    discount_subtotal = MoneyValue()
    discount_tax_total = MoneyValue()
    original_total = MoneyValue()
    original_subtotal = MoneyValue(source="subtotal")
    original_tax_total = MoneyValue()
