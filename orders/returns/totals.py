"""The totals of lines with returned units, and of their order.

A line's totals are those of the kept units, calculated as in a cart and rounded for each line, with the discounts in
proportion. `placed_total`, `quantity` and the order's `original_order_total` never change.
Why: docs/decisions/returns.md#totals-of-a-line-cover-the-units-that-were-kept.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from carts.arithmetic.adjustments import STORED_COLUMNS, StoredAdjustment
from carts.arithmetic.line_totals import Line as PricedLine
from carts.arithmetic.line_totals import LineTotals
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values import money
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.placed_lines import PlacedLine, placed_line
from orders.common.summary import total_to_pay
from orders.fulfillments.locked_lines import Line, LockedLines
from orders.models import OrderAdjustment, OrderLineItem, OrderTaxLine

LINE_TOTALS = (
    *("total", "subtotal", "tax_total", "discount_total", "discount_subtotal", "discount_tax_total"),
    *("original_total", "original_tax_total"),
)
_GOODS = {
    "item_total": "total",
    "item_subtotal": "subtotal",
    "item_tax_total": "tax_total",
    "original_item_total": "original_total",
    "original_item_tax_total": "original_tax_total",
}
_SHIPPING = {
    "shipping_total": "total",
    "shipping_subtotal": "subtotal",
    "shipping_tax_total": "tax_total",
    "original_shipping_total": "original_total",
    "original_shipping_tax_total": "original_tax_total",
}
NO_SHIPPING: Mapping[str, int] = dict.fromkeys(LINE_TOTALS, 0)
_ORDER_TOTALS = tuple(name for name in LINE_TOTALS if name != "total")


def write_totals(
    order: LockedLines, line_ids: Sequence[str], *, shipping: Mapping[str, int] = NO_SHIPPING
) -> dict[str, int]:
    """Write the totals of these lines from their counters. Returns the changed columns of the order, in 1/10,000.

    shipping: what is added to the totals of the order's shipping. At most five statements for any number of lines.
    """
    lines = [order.lines[line_id] for line_id in sorted(line_ids)]
    stored = {row.id: row for row in _PRICED.read([line.id for line in lines])}
    taxes, discounts = _taxes(line_ids), _discounts(line_ids)
    code, moment = order.row.currency_id, now()
    rows, tax_rows, requested, agreed = [], [], 0, 0
    difference: dict[str, int] = defaultdict(int)
    for line in lines:
        of_line, before = taxes[line.id], stored[line.id]
        placed = _placed(line.quantity, before, of_line, discounts[line.id], code)
        units = line.quantity - line.returned
        kept = left = placed.kept(units)
        if line.return_requested_quantity:
            left = placed.kept(units - line.return_requested_quantity)
        for name in LINE_TOTALS:
            difference[name] += getattr(kept, name) - getattr(before, name)
        requested += kept.total - left.total - (before.total - before.refundable_total)
        agreed += _agreed(placed, units, line.return_agreed_quantity)
        agreed -= _agreed(placed, line.quantity - before.returned, before.return_agreed_quantity)
        rows.append(_row(line, kept, left))
        tax_rows += [
            {"id": tax.id, "total": own.total, "subtotal": own.subtotal, "updated_at": moment}
            for tax, own in zip(of_line, kept.tax_lines, strict=True)
        ]
    raw_rows.update(OrderLineItem, rows)
    columns = {
        "requested_return_total": money.stored(order.row.requested_return_total) + requested,
        "agreed_return_total": money.stored(order.row.agreed_return_total) + agreed,
    }
    if any(difference.values()):
        raw_rows.update(OrderTaxLine, tax_rows)
    elif not any(shipping.values()):
        return columns
    return {**columns, **_order_columns(order, difference, shipping)}


def _agreed(placed: PlacedLine, units: int, agreed: int) -> int:
    """What the agreed ones of so many units hold."""
    return placed.kept(units).total - placed.kept(units - agreed).total if agreed else 0


def worth_of_return(lines: Sequence[OrderLineItem], units: Mapping[str, int], currency_code: str) -> dict[str, int]:
    """What the return of so many further units of each line would refund, in 1/10,000. Three statements.

    Units that are no longer there refund nothing.
    """
    line_ids = [line.pk for line in lines]
    stored = {row.id: row for row in _PRICED.read(line_ids)}
    taxes, discounts = _taxes(line_ids), _discounts(line_ids)
    worth = {}
    for line in lines:
        key = line.pk
        placed = _placed(line.quantity, stored[key], taxes[key], discounts[key], currency_code)
        gone = line.return_requested_quantity + line.return_received_quantity + line.return_dismissed_quantity
        left = line.quantity - gone
        worth[key] = placed.kept(left).total - placed.kept(max(left - units[key], 0)).total
    return worth


def _placed(
    quantity: int, stored: "_Priced", taxes: Sequence["_Tax"], discounts: Sequence[StoredAdjustment], currency_code: str
) -> PlacedLine:
    plain = PricedLine(
        quantity,
        stored.unit_price,
        bool(stored.is_tax_inclusive),
        rates=[tax.rate for tax in taxes],
        exempt_rate=0 if taxes else stored.exempt_rate or 0,
    )
    return placed_line(plain, discounts, placed_total=stored.placed_total, currency_code=currency_code)


def _row(line: Line, kept: LineTotals, left: LineTotals) -> dict[str, object]:
    """kept: of the units that were not returned. left: of those whose return was not requested either."""
    return {
        "id": line.id,
        **{name: getattr(kept, name) for name in LINE_TOTALS},
        "refundable_total": left.refundable_total,
        "refundable_total_per_unit": left.refundable_total_per_unit,
        "exempt_tax_total": kept.exempt_tax_total,
    }


def _order_columns(order: LockedLines, goods: Mapping[str, int], shipping: Mapping[str, int]) -> dict[str, int]:
    """goods, shipping: the amounts to add to their totals."""
    row = order.row
    added = {
        **{name: goods[name] + shipping[name] for name in _ORDER_TOTALS},
        **{name: goods[of_line] for name, of_line in _GOODS.items()},
        **{name: shipping[of_method] for name, of_method in _SHIPPING.items()},
    }
    columns = {name: money.stored(getattr(row, name)) + amount for name, amount in added.items()}
    credit = money.stored(row.credit_line_total)
    return {**columns, "total": total_to_pay(columns["item_total"], columns["shipping_total"], credit)}


class _Priced(NamedTuple):
    """A line with its totals before the change, in 1/10,000."""

    id: str
    unit_price: int
    is_tax_inclusive: bool
    exempt_rate: int | None
    placed_total: int
    total: int
    refundable_total: int
    subtotal: int
    tax_total: int
    discount_total: int
    discount_subtotal: int
    discount_tax_total: int
    original_total: int
    original_tax_total: int
    return_agreed_quantity: int
    return_received_quantity: int
    return_dismissed_quantity: int

    @property
    def returned(self) -> int:
        return self.return_received_quantity + self.return_dismissed_quantity


class _Tax(NamedTuple):
    id: str
    item_id: str
    rate: int


def _taxes(line_ids: Sequence[str]) -> Mapping[str, list[_Tax]]:
    by_line: dict[str, list[_Tax]] = defaultdict(list)
    for tax in sorted(_TAXES.read(sorted(line_ids))):
        by_line[tax.item_id].append(tax)
    return by_line


def _discounts(line_ids: Sequence[str]) -> Mapping[str, list[StoredAdjustment]]:
    """The discounts of each line as it was placed."""
    by_line: dict[str, list[StoredAdjustment]] = defaultdict(list)
    for line_id, *columns in _DISCOUNTS.read(sorted(line_ids)):
        by_line[line_id].append(StoredAdjustment(*columns))
    return by_line


_PRICED = KeyedRows(OrderLineItem.objects.all, key="id", row=_Priced)
_TAXES = KeyedRows(OrderTaxLine.objects.not_deleted, key="item_id", row=_Tax)
_DISCOUNTS = KeyedRows(
    OrderAdjustment.objects.not_deleted, key="item_id", columns=("item_id", *STORED_COLUMNS, "item__placed_total")
)
