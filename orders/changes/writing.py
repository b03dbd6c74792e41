"""Writing what a change makes of an order: its lines with their taxes and discounts, shipping methods and totals.

The number of statements does not depend on that of the lines.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from kit.values.money import stored
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.computation import ComputedMethod, ComputedOrder
from orders.changes.line_parts import OF_LINES, OF_METHODS, insert_taxes, write_discounts, write_taxes
from orders.changes.line_rows import (
    Actions,
    dates_of,
    insert_lines,
    merge_metadata,
    remove_lines,
    total_columns,
    write_lines,
)
from orders.changes.open_change import OpenChange
from orders.changes.order_rows import PlacedOrder
from orders.fulfillments.locked_lines import LockedLines, lines_of
from orders.models import OrderShippingMethod
from orders.states import ChangeAction

_OF_UNITS = (ChangeAction.RETURN_ITEM, ChangeAction.WRITE_OFF_ITEM)


def write_order(
    change: OpenChange, before: PlacedOrder, after: ComputedOrder, *, return_id: str | None = None
) -> LockedLines:
    """Write the order with its next version and the fulfillment status that follows. At most 20 statements.

    return_id: to which inbound shipping belongs. Returns its lines as they are written.
    """
    order_id, version, moment = change.order.pk, change.order.version + 1, now()
    actions: Actions = {
        str(action.line_id or action.method_id): action for action in change.actions if action.action not in _OF_UNITS
    }
    changed = [each for each in after.lines if each.is_changed and not each.is_new]
    added = [each for each in after.lines if each.is_new]
    write_lines(changed, actions, version=version, moment=moment)
    merge_metadata(actions, version=version, moment=moment)
    remove_lines([line.id for line in after.removed], version=version, moment=moment)
    insert_lines(added, actions, order_id=order_id, version=version, moment=moment)
    write_taxes(changed, moment)
    insert_taxes(OF_LINES, {each.line.id: each.totals for each in added}, actions, moment)
    write_discounts(before.lines, [each.line for each in (*changed, *added)], moment)
    methods = [each for each in after.methods if each.is_new]
    _insert_methods(methods, actions, {"order_id": order_id, "of_return_id": return_id}, moment)
    kept = {each.method.id for each in after.methods}
    gone = [method.id for method in before.methods if method.id not in kept]
    raw_rows.update(OrderShippingMethod, [{"id": method_id, "deleted_at": moment} for method_id in gone])
    lines = LockedLines(change.order, lines_of(order_id))
    for counter in ("return_requested_quantity", "return_agreed_quantity"):
        lines.adjust_counter(counter, after.units.returned)
    for counter in ("return_dismissed_quantity", "written_off_quantity"):
        lines.adjust_counter(counter, after.units.written_off)
    returns = {"requested_return_total": after.balance.requested, "agreed_return_total": after.balance.agreed}
    lines.write(**after.totals._asdict(), **returns)
    return lines


def _insert_methods(
    methods: Sequence[ComputedMethod], actions: Actions, owners: Mapping[str, str | None], moment: datetime
) -> None:
    """Two statements, none without methods. owners: the columns of the order, and of the return of inbound ones."""
    rows = []
    for each in methods:
        action = actions[each.method.id]
        chosen = {
            "id": each.method.id,
            **owners,
            **({} if action.is_inbound else {"of_return_id": None}),
            "shipping_option_id": action.shipping_option_id,
            "name": action.described["name"],
            "description": action.description,
            "amount": stored(action.amount),
            "is_tax_inclusive": action.is_tax_inclusive,
            "is_custom_amount": action.is_custom,
            "data": None,
            "metadata": action.metadata,
            "exempt_rate": action.exempt_rate,
        }
        rows.append({**chosen, **total_columns(each.method.totals), **dates_of(moment)})
    raw_rows.insert(OrderShippingMethod, rows)
    totals = {each.method.id: each.method.totals for each in methods}
    insert_taxes(OF_METHODS, totals, actions, moment)
