"""Recording which refunds have moved money: those of the order, of one payment, or made on a provider's own screens.

The latter two become refunds of the order here, when the money has moved, so that the order lists each refund once.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import F, Subquery

from kit.values.money import major, stored
from orders.common import events
from orders.common.summary import BALANCES
from orders.models import GrantedRefund, Order, RefundPart
from orders.refunds.allowance import allowance_of
from orders.refunds.sources import open_refunds_of
from payments.models import Refund


def record_payment_refunds(order_id: str, refund_ids: Collection[str], *, paid: int, refunded: int) -> tuple[int, bool]:
    """Write refunds of the order for those of these that have none.

    Returns by how much its allowance rises, and whether all of these were to send no email.

    The customer gets an email about each, except for what an earlier attempt of the cart returned before there was an
    order. The order is locked, and written without these refunds.
    paid, refunded: its sums including them. Amounts are in 1/10,000.
    """
    ordered_at = Order.objects.filter(pk=order_id).values("created_at")
    found = Refund.objects.filter(pk__in=refund_ids).order_by("pk")
    rows = found.annotate(
        part_id=F("intent__refund_part"),
        no_notification=F("intent__no_notification"),
        ordered_at=Subquery(ordered_at),
    )
    mailed = [each.part_id for each in rows if each.part_id is not None]
    moved = [each for each in rows if each.part_id is None]
    raised = 0
    if moved:
        raised, written = _write_all(order_id, moved, paid=paid, refunded=refunded)
        pairs = zip(written, moved, strict=True)
        mailed += [part_id for part_id, each in pairs if each.created_at >= each.ordered_at]
    events.money_returned(mailed)
    return raised, all(each.no_notification for each in rows)


def _write_all(order_id: str, moved: Sequence[Any], *, paid: int, refunded: int) -> tuple[int, list[str]]:
    """Write a refund of the order for each. Returns by how much its allowance rises, and the ids of their parts."""
    before = refunded - sum(stored(each.amount) for each in moved)
    (balance,) = BALANCES.read([order_id])
    balance = balance._replace(paid=paid, refunded=before)
    raised, open_refunds = 0, open_refunds_of(order_id)
    parts: list[str] = []
    for each in moved:
        amount = stored(each.amount)
        allowance = allowance_of(balance, amount, open_refunds=open_refunds)
        parts.append(_write(order_id, each, allowance))
        balance = balance._replace(refunded=balance.refunded + amount, allowance=balance.allowance + allowance)
        raised += allowance
    return raised, parts


def _write(order_id: str, moved: Any, allowance: int) -> str:
    refund = GrantedRefund.objects.create(
        order_id=order_id,
        amount=moved.amount,
        allowance=major(allowance),
        refund_reason_id=moved.refund_reason_id,
        note=moved.note,
        created_by=moved.created_by,
        no_notification=moved.no_notification,
    )
    part = RefundPart.objects.create(
        refund=refund, rank=1, amount=moved.amount, payment_id=moved.payment_id, intent_id=moved.intent_id
    )
    return str(part.pk)
