"""Voiding or refunding the payments of a canceled order. The background worker retries until providers have done it.

Source: orders.md D12, 8.6.
"""

from commerce.kit.core.timestamps import now
from payments.intents import cancel_session, owe_refunds
from payments.models import Intent, PaymentCollection
from payments.open_collection import OpenCollection, open_locked
from payments.states import Act, CollectionStatus, Result
from payments.unclaimed_money import refundable

CANCELED = "The order was canceled"


def void_or_refund_payments(order_id: str, *, keep: int = 0, created_by: str | None = None) -> int:
    """Void what is authorized, and refund what is captured except `keep`, of all payments. keep: in 1/10,000.

    Returns how much of `keep` exceeds what was captured. The caller's transaction has locked the order, and calls
    follow_payments afterwards. A repeated call records nothing. created_by: the id of the staff user who
    canceled the order.
    """
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order_id).order_by("pk")
    for collection_id in collections.values_list("pk", flat=True):
        keep = _void_or_refund(open_locked(collection_id), keep, created_by)
    return keep


def _void_or_refund(collection: OpenCollection, keep: int, created_by: str | None) -> int:
    _end_open_requests(collection.row.id)
    owed = []
    for session, amount in refundable(collection):
        kept = min(keep, amount)
        keep -= kept
        if amount > kept:
            owed.append((session, amount - kept))
    owe_refunds(owed, CANCELED, created_by=created_by)
    for session in collection.sessions:
        if session.is_live:
            cancel_session(collection, session)
    if collection.row.captured_amount == collection.row.returned_amount:
        collection.row.status = CollectionStatus.CANCELED.value
    collection.write_rows()
    return keep


def _end_open_requests(collection_id: str) -> None:
    """Withdraw captures that were never sent, and mark open refunds as owed: they are retried until they succeed.

    A capture that is being sent is refunded once it is recorded (orders/order_payments.py).
    """
    still_open = Intent.objects.filter(session__collection=collection_id, done_at=None)
    still_open.filter(act=Act.CAPTURE, attempts=0).update(done_at=now(), result=Result.REFUSED, error=CANCELED)
    still_open.filter(act=Act.REFUND).update(is_owed=True)
