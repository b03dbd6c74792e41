"""Recording refunds of one payment, or made on a provider's own screens, as refunds of the order.

They are recorded when the money has moved, so that the order lists each refund once.
"""

from collections.abc import Collection

from commerce.kit.core.money import major, stored
from orders.models import GrantedRefund, RefundPart
from orders.refunds.allowance import allowance_of
from orders.refunds.sources import open_refunds_of
from orders.summary import BALANCES
from payments.models import Refund


def record_payment_refunds(order_id: str, refund_ids: Collection[str], *, paid: int, refunded: int) -> int:
    """Write refunds of the order for those of these that have none; returns by how much its allowance rises.

    The order is locked, and written without these refunds. paid, refunded: its sums including them. Amounts are in
    1/10,000.
    """
    moved = list(Refund.objects.filter(pk__in=refund_ids, intent__refund_part=None).order_by("pk"))
    if not moved:
        return 0
    before = refunded - sum(stored(each.amount) for each in moved)
    (balance,) = BALANCES.read([order_id])
    balance = balance._replace(paid=paid, refunded=before)
    raised, open_refunds = 0, open_refunds_of(order_id)
    for each in moved:
        amount = stored(each.amount)
        allowance = allowance_of(balance, amount, open_refunds=open_refunds)
        _write(order_id, each, allowance)
        balance = balance._replace(refunded=balance.refunded + amount, allowance=balance.allowance + allowance)
        raised += allowance
    return raised


def _write(order_id: str, moved: Refund, allowance: int) -> None:
    refund = GrantedRefund.objects.create(
        order_id=order_id,
        amount=moved.amount,
        allowance=major(allowance),
        refund_reason_id=moved.refund_reason_id,
        note=moved.note,
        created_by=moved.created_by,
    )
    RefundPart.objects.create(
        refund=refund, rank=1, amount=moved.amount, payment_id=moved.payment_id, intent_id=moved.intent_id
    )
