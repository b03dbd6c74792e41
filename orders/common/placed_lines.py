"""A line as it was placed, and what any number of its units cost.

Why: docs/decisions/returns.md#totals-of-a-line-cover-the-units-that-were-kept,
docs/decisions/orders.md#placed-orders-keep-their-amounts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from carts.arithmetic.adjustments import StoredAdjustment
from carts.arithmetic.line_totals import Line, LineTotals, kept_totals, stated_price
from kit.values import money
from orders.common.net_discounts import net_totals


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """line: with its discounts. is_net: whether these are without tax, while its price includes it."""

    line: Line
    currency_code: str
    is_net: bool = False

    def kept(self, units: int) -> LineTotals:
        """The totals of so many of its units. The next one of them refunds what it costs more than the others."""
        count = net_totals if self.is_net else kept_totals
        return count(self.line, units, currency_code=self.currency_code)


def placed_line(
    plain: Line, adjustments: Sequence[StoredAdjustment], *, placed_total: int, currency_code: str
) -> PlacedLine:
    """The line with its stored discounts, by the arithmetic that gave it its total.

    plain: without discounts. An older version may have placed a cart that this one had reserved, without storing the
    discounts as stated or the exempt rate. The difference from the price is then treated as a discount.
    """
    if not plain.is_tax_inclusive or all(each.counts_as_stated for each in adjustments):
        stated = PlacedLine(plain._replace(adjustments=[each.shown_amount for each in adjustments]), currency_code)
        if plain.rates or stated.kept(plain.quantity).total == placed_total:
            return stated
    net = PlacedLine(plain._replace(adjustments=[each.amount for each in adjustments]), currency_code, is_net=True)
    if net.kept(plain.quantity).total == placed_total:
        return net
    taken = stated_price(plain, money.step(currency_code)) - placed_total
    return PlacedLine(plain._replace(adjustments=[taken]), currency_code)
