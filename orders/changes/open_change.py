"""The open change of an order, with its actions. The lock of the order also locks them."""

from dataclasses import dataclass
from operator import attrgetter

from kit.reads.sql.locked_instances import instances
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.changes.errors import ActionNotFound, ChangeEnded, ChangeNotFound, NoOpenChange, OrderClosed
from orders.common.locked_order import lock_order, require_version
from orders.common.open_edit import open_change_of
from orders.fulfillments.errors import OrderCanceled
from orders.models import Order, OrderChange, OrderChangeAction
from orders.states import ChangeAction, ChangeKind, OrderStatus

GOODS = (ChangeKind.EXCHANGE, ChangeKind.CLAIM)
"""Changes by which goods come back, or are written off."""
EDITING = "orders.add_orderchange"
RETURNING = "orders.add_return"
SETTING_PRICES = "orders.set_price"


@dataclass(slots=True)
class StoredChange:
    """An open change, of an order or a draft that is locked. actions: in their order."""

    row: OrderChange
    actions: list[OrderChangeAction]

    def action(self, action_id: str, *kinds: ChangeAction) -> OrderChangeAction:
        """The action with that id, of one of these kinds. Raises ActionNotFound."""
        for action in self.actions:
            if action.pk == action_id and action.action in kinds:
                return action
        raise ActionNotFound(action_id)

    def change(self, **values: object) -> None:
        """Write columns of the change. One statement."""
        raw_rows.update(OrderChange, [{"id": self.row.pk, **values, "updated_at": now()}])


@dataclass(slots=True)
class OpenChange(StoredChange):
    """That of an order. order: locked."""

    order: Order


def lock_change(order_id: str, *, version: int | None = None) -> OpenChange:
    """The open edit of the order, locked until the transaction ends. Three statements.

    version: of the order, if the caller knows it. Raises OrderNotFound, OrderCanceled, VersionOutdated, NoOpenChange.
    """
    order = lock_order(order_id)
    check_editable(order)
    require_version(order, version)
    row = open_change_of(order)
    if row is None or row.kind != ChangeKind.EDIT:
        raise NoOpenChange
    return _with_actions(order, row)


def lock_change_by_id(change_id: str, *kinds: ChangeKind) -> OpenChange:
    """The open change with that id, its order locked. Raises ChangeNotFound, ChangeEnded. Four statements.

    kinds: of which it must be; by default any but a draft's.
    """
    known = known_change(change_id, *kinds)
    order = lock_order(known.order_id)
    row = open_change_of(order)
    if row is None or row.pk != known.pk:
        known.refresh_from_db(fields=["status"])
        raise ChangeEnded(known.status)
    return _with_actions(order, row)


def known_change(change_id: str, *kinds: ChangeKind) -> OrderChange:
    """The change of an order with that id, not locked. Raises ChangeNotFound. One statement."""
    known: OrderChange | None = OrderChange.objects.not_deleted().with_id(change_id)
    if known is None or known.kind not in (kinds or (ChangeKind.EDIT, *GOODS)):
        raise ChangeNotFound(change_id)
    return known


def check_editable(order: Order) -> None:
    """Raise OrderCanceled, and OrderClosed for a completed or archived order."""
    if order.is_canceled:
        raise OrderCanceled(order.pk)
    if order.status != OrderStatus.PENDING:
        raise OrderClosed(order.status)


def _with_actions(order: Order, row: OrderChange) -> OpenChange:
    return OpenChange(row, stored_actions(row.pk), order)


def stored_actions(change_id: str) -> list[OrderChangeAction]:
    """The actions of a change, in their order. One statement."""
    return sorted(_ACTIONS.read([change_id]), key=attrgetter("ordering"))


_ACTIONS = instances(OrderChangeAction, OrderChangeAction.objects.all, key="change_id")
