"""The terms in which pages and emails show a cart or order: with tax or without, as the shop states its prices.

Why: docs/decisions/carts.md#a-page-shows-amounts-in-the-terms-of-its-prices.
"""

from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple, Self

from carts.models.kept_totals import CartTotalColumns, TotalColumns
from carts.models.line_columns import LineColumns


class TaxTerms(NamedTuple):
    """Amounts with tax, or without it. As a text: `with tax`."""

    is_tax_inclusive: bool

    @classmethod
    def of(cls, lines: Iterable[LineColumns]) -> Self:
        """The terms of these lines. With tax if they differ, since that is what the customer pays.

        An exempt customer's have no tax, however their prices are stated.
        """
        return cls(any(line.is_tax_inclusive and (line.exempt_rate is None or line.tax_total) for line in lines))

    def __str__(self) -> str:
        return "with tax" if self.is_tax_inclusive else "without tax"

    def before_discounts(self, row: TotalColumns) -> Decimal:
        """What a line or shipping method costs without promotions."""
        return self._amount(row, "original_total", "subtotal")

    def discount(self, row: TotalColumns) -> Decimal:
        """What promotions take off a line, cart or order."""
        return self._amount(row, "discount_total", "discount_subtotal")

    def after_discounts(self, row: TotalColumns) -> Decimal:
        """What a line or shipping method costs."""
        amount: Decimal = row.total if self.is_tax_inclusive else row.total - row.tax_total
        return amount

    def items(self, row: CartTotalColumns) -> Decimal:
        """What the items of a cart or order cost without promotions."""
        return self._amount(row, "original_item_total", "item_subtotal")

    def shipping(self, row: CartTotalColumns) -> Decimal:
        """What its shipping costs without promotions."""
        return self._amount(row, "original_shipping_total", "shipping_subtotal")

    def _amount(self, row: TotalColumns, with_tax: str, without_tax: str) -> Decimal:
        amount: Decimal = getattr(row, with_tax if self.is_tax_inclusive else without_tax)
        return amount


def total_name(*, is_tax_exempt: bool | None) -> str:
    """The name of an order's total: only an exempt customer's has no tax."""
    return "Total" if is_tax_exempt else "Total with tax"
