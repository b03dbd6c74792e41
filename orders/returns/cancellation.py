"""Canceling a return. Source: orders.md 1.9, D14."""

from django.db import transaction

from commerce.kit.core.actor import Actor
from commerce.kit.core.timestamps import now
from orders.returns.errors import AlreadyCanceled, NotRequested, ReceiptBegun
from orders.returns.open_return import open_return
from orders.returns.totals import write_totals
from orders.states import ReturnStatus

_RECEIVED = frozenset({ReturnStatus.PARTIALLY_RECEIVED, ReturnStatus.RECEIVED})


@transaction.atomic
def cancel(*, actor: Actor, return_id: str) -> None:
    """Cancel a return of which nothing was received; its units can be returned again.

    Raises ReturnNotFound, AlreadyCanceled, NotRequested, ReceiptBegun, Forbidden.
    """
    actor.require("orders.change_return")
    opened = open_return(return_id)
    if opened.row.status == ReturnStatus.CANCELED:
        raise AlreadyCanceled
    if opened.row.status in _RECEIVED:
        raise ReceiptBegun
    if opened.row.status == ReturnStatus.OPEN:
        raise NotRequested
    opened.change(status=ReturnStatus.CANCELED.value, canceled_at=now(), canceled_by=actor.id)
    opened.order.adjust_counter("return_requested_quantity", opened.units, sign=-1)
    opened.order.write(**write_totals(opened.order, list(opened.units)))
