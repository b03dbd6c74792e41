"""Canceling a return."""

from collections.abc import Mapping
from decimal import Decimal

from django.db import transaction

from kit.domain.actor import SYSTEM, Actor
from kit.values.timestamps import now
from kit.writes import raw_rows
from orders.common.summary import pending_difference_of
from orders.models import Order, ReturnItem
from orders.payment.settlement import settle_as_written
from orders.returns.errors import NotRequested, ReceiptBegun, ReturnAlreadyCanceled
from orders.returns.locked_return import LockedReturn, lock_return
from orders.returns.shipping import due, method_of, remove_method
from orders.returns.totals import NO_SHIPPING, write_totals
from orders.states import ReturnStatus


@transaction.atomic
def cancel(*, actor: Actor, return_id: str) -> None:
    """Cancel a return of which nothing was received, and its shipping. Its units can be returned again.

    Those of an exchange or a claim count again: the customer owes them. Such a return can also be canceled once it is
    partially received: it then has what came, and is received.
    Raises ReturnNotFound, ReturnAlreadyCanceled, NotRequested, ReceiptBegun, Forbidden.
    """
    actor.require("orders.change_return")
    opened = lock_return(return_id)
    if opened.row.status == ReturnStatus.CANCELED:
        raise ReturnAlreadyCanceled
    if opened.row.status == ReturnStatus.OPEN:
        raise NotRequested
    if opened.row.status == ReturnStatus.REQUESTED:
        _cancel(opened, actor)
    elif opened.row.status == ReturnStatus.PARTIALLY_RECEIVED and opened.is_agreed:
        _cancel_rest(opened)
    else:
        raise ReceiptBegun


def pending_after(return_id: str) -> Decimal:
    """What the customer of the order would owe after the cancellation, in major units. Nothing of it remains.

    Raises what `cancel` raises.
    """
    with transaction.atomic():
        cancel(actor=SYSTEM, return_id=return_id)
        pending = pending_difference_of(Order.objects.get(returns=return_id))
        transaction.set_rollback(True)
    return pending


def _cancel(opened: LockedReturn, actor: Actor) -> None:
    opened.change(status=ReturnStatus.CANCELED.value, canceled_at=now(), canceled_by=actor.id)
    method, shipping = method_of(opened.row.pk), NO_SHIPPING
    if method is not None:
        remove_method(method)
        shipping = method.added(sign=-1)
    columns = _expect_no_longer(opened, opened.units, shipping)
    if not opened.is_agreed:
        columns |= due(opened.order, method, sign=-1)
    _write(opened, columns)


def _cancel_rest(opened: LockedReturn) -> None:
    """Its shipping stays: it has brought something back."""
    moment = now()
    came = {item.pk: item.received_quantity + item.damaged_quantity for item in opened.items.values()}
    none = {"arrived_quantity": 0, "arrived_damaged_quantity": 0, "updated_at": moment}
    raw_rows.update(ReturnItem, [{"id": key, "quantity": units, **none} for key, units in came.items() if units])
    raw_rows.delete(ReturnItem, [key for key, units in came.items() if not units])
    opened.change(status=ReturnStatus.RECEIVED.value, received_at=moment)
    rest = {line_id: units - came[opened.items[line_id].pk] for line_id, units in opened.units.items()}
    _write(opened, _expect_no_longer(opened, rest, NO_SHIPPING))


def _expect_no_longer(opened: LockedReturn, units: Mapping[str, int], shipping: Mapping[str, int]) -> dict[str, int]:
    """Count the units as kept; returns the columns of the order. shipping: what is added to its totals."""
    for counter in opened.counters:
        opened.order.adjust_counter(counter, units, sign=-1)
    return write_totals(opened.order, list(units), shipping=shipping)


def _write(opened: LockedReturn, columns: Mapping[str, int]) -> None:
    """Write the order, and ask for what an agreed return has left owed."""
    opened.order.write(**columns)
    if opened.is_agreed:
        settle_as_written(opened.order.row.pk)
