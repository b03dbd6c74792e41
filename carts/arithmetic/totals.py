"""The totals of a cart: sums of those of its lines and shipping methods. No database.

The totals of lines and tax lines are rounded half-up to the currency's digits (carts/arithmetic/line_totals.py); all
others are sums of those, so that no cent is lost. Amounts are in 1/10,000 of a major unit. For all of them

    total = subtotal - discount_subtotal + tax_total        what is paid
    subtotal                                                before tax and discounts
    discount_subtotal                                       the discounts, before tax
    tax_total                                               the tax of the discounted amount
    original_…                                              the same without promotions
    discount_total = original_total - total                 what is saved: discount_subtotal + discount_tax_total

A price that includes its tax is not changed by it: without promotions the total is unit_price x quantity to the cent,
and the subtotal is that without the tax. Why: docs/decisions/carts.md#amounts-are-rounded-line-by-line.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from carts.arithmetic.line_totals import LineTotals


class CartTotals(NamedTuple):
    """What a cart costs, by the names of its columns.

    item_… and shipping_… are sums over its lines and its shipping methods; the rest is of both.
    total: the remaining amount to pay, item_subtotal + shipping_subtotal + tax_total - discount_subtotal -
        credit_line_total.
    credit_line_total: what credit lines pay of it, at most all.
    original_total: before promotions and credit lines.
    """

    total: int
    subtotal: int
    tax_total: int
    discount_total: int
    discount_subtotal: int
    discount_tax_total: int
    original_total: int
    original_tax_total: int
    item_total: int
    item_subtotal: int
    item_tax_total: int
    original_item_total: int
    original_item_tax_total: int
    shipping_total: int
    shipping_subtotal: int
    shipping_tax_total: int
    original_shipping_total: int
    original_shipping_tax_total: int
    credit_line_total: int

    @property
    def original_subtotal(self) -> int:
        """Subtotals are before promotions."""
        return self.subtotal

    @property
    def original_item_subtotal(self) -> int:
        """See original_subtotal."""
        return self.item_subtotal

    @property
    def original_shipping_subtotal(self) -> int:
        """See original_subtotal."""
        return self.shipping_subtotal

    @property
    def gift_card_total(self) -> int:
        """The storefronts' name of credit_line_total."""
        return self.credit_line_total


def add_up_cart(
    items: Sequence[LineTotals], shipping_methods: Sequence[LineTotals] = (), credit_lines: Iterable[int] = ()
) -> CartTotals:
    """The totals of a cart from those of its lines and shipping methods, and the amounts of its credit lines."""
    item, shipping = _Sum.of(items), _Sum.of(shipping_methods)
    both = _Sum(*map(sum, zip(item, shipping, strict=True)))
    paid = min(sum(credit_lines), both.total)
    return CartTotals(
        total=both.total - paid,
        subtotal=both.subtotal,
        tax_total=both.tax_total,
        discount_total=both.original_total - both.total,
        discount_subtotal=both.discount_subtotal,
        discount_tax_total=both.original_tax_total - both.tax_total,
        original_total=both.original_total,
        original_tax_total=both.original_tax_total,
        item_total=item.total,
        item_subtotal=item.subtotal,
        item_tax_total=item.tax_total,
        original_item_total=item.original_total,
        original_item_tax_total=item.original_tax_total,
        shipping_total=shipping.total,
        shipping_subtotal=shipping.subtotal,
        shipping_tax_total=shipping.tax_total,
        original_shipping_total=shipping.original_total,
        original_shipping_tax_total=shipping.original_tax_total,
        credit_line_total=paid,
    )


class _Sum(NamedTuple):
    """Columns of several lines' totals, added up."""

    total: int
    subtotal: int
    tax_total: int
    discount_subtotal: int
    original_total: int
    original_tax_total: int

    @classmethod
    def of(cls, lines: Sequence[LineTotals]) -> "_Sum":
        return cls(*(sum(getattr(line, column) for line in lines) for column in cls._fields))
