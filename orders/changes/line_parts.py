"""The taxes and discounts of the lines and shipping methods that a change writes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Model

from carts.arithmetic.line_totals import LineTotals
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.ids import new_id
from kit.writes import raw_rows
from orders.changes.computation import ComputedLine
from orders.changes.line_rows import Actions, dates_of
from orders.changes.order_rows import LineDiscount, OrderLine
from orders.models import OrderAdjustment, OrderShippingMethodTaxLine, OrderTaxLine
from shop.taxes import ApplicableTax


def write_taxes(lines: Sequence[ComputedLine], moment: datetime) -> None:
    """Write the totals of the taxes that the lines have. Two statements, none without lines."""
    if not lines:
        return
    stored: dict[str, list[str]] = defaultdict(list)
    for tax_id, line_id in sorted(_TAXES.read([each.line.id for each in lines])):
        stored[line_id].append(tax_id)
    rows = [
        {"id": tax_id, **totals._asdict(), "updated_at": moment}
        for each in lines
        for tax_id, totals in zip(stored[each.line.id], each.totals.tax_lines, strict=True)
    ]
    raw_rows.update(OrderTaxLine, rows)


class TaxRows(NamedTuple):
    """A table of taxes. prefix: of its ids. owner: its column of the line or shipping method."""

    model: type[Model]
    prefix: str
    owner: str


OF_LINES = TaxRows(OrderTaxLine, "ordlitxl", "item_id")
OF_METHODS = TaxRows(OrderShippingMethodTaxLine, "ordsmtxl", "shipping_method_id")


def insert_taxes(table: TaxRows, totals: Mapping[str, LineTotals], actions: Actions, moment: datetime) -> None:
    """Insert the taxes that actions have kept for what they add. One statement.

    totals: of lines or shipping methods, by id.
    """
    rows = [
        {
            "id": new_id(table.prefix),
            table.owner: key,
            **ApplicableTax(*tax)._asdict(),
            **of_tax._asdict(),
            **dates_of(moment),
        }
        for key, costs in totals.items()
        for tax, of_tax in zip(actions[key].taxes, costs.tax_lines, strict=True)
    ]
    raw_rows.insert(table.model, rows)


def write_discounts(before: Iterable[OrderLine], after: Sequence[OrderLine], moment: datetime) -> None:
    """Write the discounts that lines have, insert new ones, and soft-delete those that are gone. Three statements.

    before: the lines of the order. after: those that are written.
    """
    written = {line.id for line in after}
    kept = {each.id for line in after for each in line.discounts}
    gone = [each.id for line in before if line.id in written for each in line.discounts if each.id not in kept]
    of_lines = [(line, each) for line in after for each in line.discounts]
    known = [{"id": each.id, **_columns(each), "updated_at": moment} for _, each in of_lines if each.id is not None]
    new = [
        {
            "id": new_id("ordliadj"),
            "item_id": line.id,
            "code": each.code,
            "promotion_id": each.promotion_id,
            "description": None,
            "provider_id": None,
            **_columns(each),
            **dates_of(moment),
        }
        for line, each in of_lines
        if each.id is None
    ]
    raw_rows.update(OrderAdjustment, known)
    raw_rows.insert(OrderAdjustment, new)
    raw_rows.update(OrderAdjustment, [{"id": key, "deleted_at": moment, "updated_at": moment} for key in gone])


def _columns(discount: LineDiscount) -> dict[str, object]:
    columns: dict[str, object] = discount.stored._asdict()
    del columns["line_total"]
    return columns


_TAXES = KeyedRows(OrderTaxLine.objects.not_deleted, key="item_id", columns=("id", "item_id"))
