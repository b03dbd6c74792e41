"""Canceling a return."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.values.timestamps import now
from orders.payment.settlement import settle_as_written
from orders.returns.errors import NotRequested, ReceiptBegun, ReturnAlreadyCanceled
from orders.returns.locked_return import lock_return
from orders.returns.shipping import due, method_of, remove_method
from orders.returns.totals import NO_SHIPPING, write_totals
from orders.states import ReturnStatus

_RECEIVED = frozenset({ReturnStatus.PARTIALLY_RECEIVED, ReturnStatus.RECEIVED})


@transaction.atomic
def cancel(*, actor: Actor, return_id: str) -> None:
    """Cancel a return of which nothing was received, and its shipping. Its units can be returned again.

    Those of an exchange or a claim count again: the customer owes them.
    Raises ReturnNotFound, ReturnAlreadyCanceled, NotRequested, ReceiptBegun, Forbidden.
    """
    actor.require("orders.change_return")
    opened = lock_return(return_id)
    if opened.row.status == ReturnStatus.CANCELED:
        raise ReturnAlreadyCanceled
    if opened.row.status in _RECEIVED:
        raise ReceiptBegun
    if opened.row.status == ReturnStatus.OPEN:
        raise NotRequested
    opened.change(status=ReturnStatus.CANCELED.value, canceled_at=now(), canceled_by=actor.id)
    for counter in opened.counters:
        opened.order.adjust_counter(counter, opened.units, sign=-1)
    method, shipping = method_of(return_id), NO_SHIPPING
    if method is not None:
        remove_method(method)
        shipping = method.added(sign=-1)
    columns = write_totals(opened.order, list(opened.units), shipping=shipping)
    if not opened.is_agreed:
        opened.order.write(**columns, **due(opened.order, method, sign=-1))
        return
    opened.order.write(**columns)
    settle_as_written(opened.order.row.pk)
