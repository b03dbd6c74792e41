"""Lines with other discounts: the columns to write, and what their units then cost. No database.

Why: docs/decisions/orders.md#placed-orders-keep-their-amounts.
"""

from collections.abc import Sequence
from dataclasses import replace

from carts.arithmetic.adjustments import StoredAdjustment, net_amounts
from carts.arithmetic.line_totals import Line, LineTotals
from kit.values import money
from orders.changes.order_rows import LineDiscount, OrderLine
from orders.common.placed_lines import PlacedLine, placed_line

NO_COLUMNS = StoredAdjustment(0, None, None, None, None, 0)
"""Of a discount that is yet to be written."""


def as_placed(line: OrderLine, currency_code: str) -> PlacedLine:
    """The line of an order, by the arithmetic that gave it its placed_total."""
    stored = [discount.stored for discount in line.discounts]
    return placed_line(line.plain, stored, placed_total=line.placed_total, currency_code=currency_code)


def with_discounts(
    line: OrderLine,
    plain: Line,
    discounts: Sequence[LineDiscount],
    amounts: Sequence[int],
    *,
    currency_code: str,
    is_net: bool = False,
) -> OrderLine:
    """The line as this quantity and price, with discounts of these amounts; those of 0 fall away.

    amounts: off all units, in the terms of the price; without tax if is_net, which stays so for an old line.
    """
    pairs = [(discount, amount) for discount, amount in zip(discounts, amounts, strict=True) if amount]
    taken = [amount for _, amount in pairs]
    whole = PlacedLine(plain._replace(adjustments=taken), currency_code, is_net).kept(plain.quantity)
    net = taken if is_net else net_amounts(whole, taken, money.step(currency_code))
    columns = [
        StoredAdjustment(amount, None, None, None, None, whole.total)
        if is_net
        else StoredAdjustment(before_tax, amount, plain.is_tax_inclusive, before_tax, whole.total, whole.total)
        for amount, before_tax in zip(taken, net, strict=True)
    ]
    written = tuple(replace(discount, stored=stored) for (discount, _), stored in zip(pairs, columns, strict=True))
    return replace(line, plain=plain, placed_total=whole.total, discounts=written)


def totals_of(line: OrderLine, currency_code: str) -> LineTotals:
    """What the units cost that were not returned; refundable is what was not requested back either."""
    placed = as_placed(line, currency_code)
    kept = placed.kept(line.kept_quantity)
    if not line.return_requested_quantity:
        return kept
    left = placed.kept(line.kept_quantity - line.return_requested_quantity)
    return kept._replace(
        refundable_total=left.refundable_total, refundable_total_per_unit=left.refundable_total_per_unit
    )
