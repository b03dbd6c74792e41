"""Stored totals. Only carts/pricing/refreshing.py writes them, in the transaction of the change.

A cart is read many times for each change, so totals are calculated when it changes and not when it is read. What they
mean is explained in carts/arithmetic/totals.py.
"""

from typing import Any

from django.db import models

from kit.values.money import MoneyField, PercentField


class KeptTotal(MoneyField):
    """A stored total."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"default": 0, "editable": False, **kwargs})


class TotalColumns(models.Model):
    """The totals of a line, a shipping method or a cart."""

    total = KeptTotal()
    subtotal = KeptTotal()
    tax_total = KeptTotal()
    discount_total = KeptTotal()
    discount_subtotal = KeptTotal()
    discount_tax_total = KeptTotal()
    original_total = KeptTotal()
    original_tax_total = KeptTotal()

    class Meta:
        abstract = True


class LineTotalColumns(TotalColumns):
    """The totals of a line or a shipping method; see carts.arithmetic.line_totals.LineTotals.

    exempt_rate: for an exempt customer, the sum of the rates that would otherwise apply, in percent; else null.
    exempt_tax_total: the tax removed from the total of an exempt customer. Both columns are stale if the row has tax:
    an older version has priced it since.
    Why: docs/decisions/taxes.md#exempt-customers-pay-net-prices.
    """

    refundable_total = KeptTotal()
    refundable_total_per_unit = KeptTotal()
    exempt_tax_total = MoneyField(null=True, editable=False)
    exempt_rate = PercentField(null=True, editable=False)

    class Meta:
        abstract = True


class TaxLineTotalColumns(models.Model):
    """The totals of one tax of a line; see carts.arithmetic.line_totals.TaxLineTotals."""

    total = KeptTotal()
    subtotal = KeptTotal()

    class Meta:
        abstract = True


class CartTotalColumns(TotalColumns):
    """The totals of a cart; see carts.arithmetic.totals.CartTotals, whose fields these are."""

    item_total = KeptTotal()
    item_subtotal = KeptTotal()
    item_tax_total = KeptTotal()
    original_item_total = KeptTotal()
    original_item_tax_total = KeptTotal()
    shipping_total = KeptTotal()
    shipping_subtotal = KeptTotal()
    shipping_tax_total = KeptTotal()
    original_shipping_total = KeptTotal()
    original_shipping_tax_total = KeptTotal()
    credit_line_total = KeptTotal()

    class Meta:
        abstract = True
