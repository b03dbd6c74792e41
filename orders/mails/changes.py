"""The email about an edit, an exchange or a claim that was confirmed."""

from django.db.models import Prefetch

from kit.messages.mails.kinds import RenderedMail
from kit.values.json import JSON
from kit.values.money import major
from kit.values.written_amounts import written
from orders.common.outstanding import outstanding_of
from orders.mails.shared import OF_ORDER, order_mail, units_of
from orders.models import OrderChange, OrderChangeAction, OrderLineItem
from orders.states import ChangeAction, OrderChangeStatus

KIND = "order_changed"
_ACTIONS = Prefetch("actions", OrderChangeAction.objects.order_by("ordering"))


def render_change_mail(about: str, number: int) -> RenderedMail | None:
    """The email about the change with that id; None if nobody gets one. It says what is still to be paid by now."""
    confirmed = OrderChange.objects.select_related(*OF_ORDER).prefetch_related(_ACTIONS)
    change: OrderChange | None = confirmed.filter(pk=about, status=OrderChangeStatus.CONFIRMED).first()
    order = change.order if change else None
    if change is None or order is None:
        return None
    actions, code = list(change.actions.all()), order.currency_id
    lines = OrderLineItem.objects.in_bulk([action.line_id for action in actions if action.line_id])
    added, removed, repriced = list[JSON](), list[JSON](), list[JSON]()
    of_units: dict[str, list[JSON]] = {ChangeAction.RETURN_ITEM: [], ChangeAction.WRITE_OFF_ITEM: []}
    for action in actions:
        line = lines.get(action.line_id)
        if line is None:
            continue
        if action.action in of_units:
            of_units[action.action].append(units_of(line, action.quantity))
            continue
        units = action.quantity - action.quantity_before
        if units:
            (added if units > 0 else removed).append(units_of(line, abs(units)))
        if action.quantity_before and action.quantity and action.unit_price is not None:
            repriced.append({**units_of(line, action.quantity), "price": written(action.unit_price, code)})
    shipping_methods: list[JSON] = [
        {"name": action.described["name"], "total": written(action.amount, code)}
        for action in actions
        if action.action == ChangeAction.SHIPPING_ADD
    ]
    returned, claimed = of_units.values()
    if not any((added, removed, repriced, shipping_methods, returned, claimed)):  # only what staff note about lines
        return None
    owed = outstanding_of(order)
    return order_mail(
        KIND,
        order,
        added=added,
        removed=removed,
        returned=returned,
        claimed=claimed,
        repriced=repriced,
        shipping_methods=shipping_methods,
        total_before=written(change.total_before, code),
        total_after=written(change.total_after, code),
        owed=written(major(owed), code) if owed else "",
    )
