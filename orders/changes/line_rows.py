"""The lines of an order that a change writes, inserts and removes."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from carts.arithmetic.line_totals import LineTotals
from carts.models.line_columns import new_detail_id
from kit.values.metadata import merged
from kit.values.money import stored
from kit.writes import raw_rows
from orders.changes.computation import ComputedLine
from orders.models import OrderAdjustment, OrderChangeAction, OrderLineItem, OrderTaxLine

Actions = Mapping[str, OrderChangeAction]
"""The actions of a change, by the line or shipping method that they are about."""

_TOTALS = tuple(name for name in LineTotals._fields if name != "tax_lines")
_NO_UNITS = {column.name: 0 for column in OrderLineItem._meta.concrete_fields if column.name.endswith("_quantity")}


def total_columns(totals: LineTotals) -> dict[str, int]:
    """The columns of a line or shipping method that hold its totals."""
    return {name: getattr(totals, name) for name in _TOTALS}


def dates_of(moment: datetime) -> dict[str, datetime | None]:
    """Those of a new row."""
    return {"created_at": moment, "updated_at": moment, "deleted_at": None}


def write_lines(lines: Iterable[ComputedLine], actions: Actions, *, version: int, moment: datetime) -> None:
    """Write lines of the order. Two statements: of some, the price changes too."""
    priced, others = list[raw_rows.RawRow](), list[raw_rows.RawRow]()
    for each in lines:
        row = {
            "id": each.line.id,
            "quantity": each.line.plain.quantity,
            "placed_total": each.line.placed_total,
            **total_columns(each.totals),
            "version": version,
            "updated_at": moment,
        }
        action = actions.get(each.line.id)
        if action is None or action.unit_price is None:
            others.append(row)
        else:
            priced.append({**row, "unit_price": each.line.plain.unit_price, "is_custom_price": True})
    raw_rows.update(OrderLineItem, others)
    raw_rows.update(OrderLineItem, priced)


def insert_lines(
    lines: Iterable[ComputedLine], actions: Actions, *, order_id: str, version: int, moment: datetime
) -> None:
    """Insert the added lines. One statement."""
    rows = []
    for each in lines:
        plain, action = each.line.plain, actions[each.line.id]
        before = action.compare_at_unit_price
        bought = {
            "id": each.line.id,
            "order_id": order_id,
            "variant_id": action.variant_id,
            "quantity": plain.quantity,
            "unit_price": plain.unit_price,
            "compare_at_unit_price": None if before is None else stored(before),
            "is_tax_inclusive": plain.is_tax_inclusive,
            "is_custom_price": action.is_custom,
            "is_giftcard": False,
            "exempt_rate": action.exempt_rate,
            "metadata": action.metadata,
            "detail_id": new_detail_id(),
            "placed_total": each.line.placed_total,
            "version": version,
        }
        rows.append({**action.described, **bought, **_NO_UNITS, **total_columns(each.totals), **dates_of(moment)})
    raw_rows.insert(OrderLineItem, rows)


def merge_metadata(actions: Actions, *, version: int, moment: datetime) -> None:
    """Merge metadata into that of lines of the order. Two statements, none without any."""
    changed = ((key, action) for key, action in actions.items() if action.quantity_before)
    given = {key: action.metadata for key, action in changed if action.metadata is not None}
    if not given:
        return
    own = OrderLineItem.objects.not_deleted().filter(pk__in=given).values_list("pk", "metadata")
    rows = [{"id": key, "metadata": merged(metadata, given[key])} for key, metadata in own]
    raw_rows.update(OrderLineItem, [{**row, "version": version, "updated_at": moment} for row in rows])


def remove_lines(line_ids: Sequence[str], *, version: int, moment: datetime) -> None:
    """Soft-delete lines with their taxes and discounts. Three statements, none without lines."""
    if line_ids:
        dates = {"deleted_at": moment, "updated_at": moment}
        raw_rows.update(OrderLineItem, [{"id": line_id, "version": version, **dates} for line_id in line_ids])
        for model in (OrderTaxLine, OrderAdjustment):
            model.objects.not_deleted().filter(item__in=line_ids).update(**dates)
