"""Voiding or refunding the payments of a canceled order. The background worker retries until providers have done it.

Why: docs/decisions/orders.md#cancellation-waits-for-no-provider.
"""

from kit.values.timestamps import now
from payments.collections.locked_collection import LockedCollection, read_locked
from payments.collections.unclaimed_money import refundable
from payments.models import Intent, PaymentCollection
from payments.requests.intents import cancel_session, owe_refunds
from payments.states import Act, CollectionStatus, Result

CANCELED = "The order was canceled"


def void_or_refund_payments(
    order_id: str, *, most: int, created_by: str | None = None, no_notification: bool | None = None
) -> None:
    """Void what is authorized and refund what is captured of all payments of the order, the latest first.

    The caller's transaction has locked the order, and calls follow_payments afterwards. Repeated calls record nothing.
    most: the amount of the order's currency to refund at most, in 1/10,000, since some of it may have been refunded as
    store credit.
    created_by: the id of the staff user who canceled the order. no_notification: of the refunds.
    """
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order_id).order_by("pk")
    for collection_id in collections.values_list("pk", flat=True):
        most -= _void_or_refund(read_locked(collection_id), most, created_by, no_notification)


def _void_or_refund(
    collection: LockedCollection, most: int, created_by: str | None, no_notification: bool | None
) -> int:
    """Void or refund the payments of one collection; returns the amount to be refunded in its currency.

    Money of another currency is refunded whole.
    """
    _end_open_requests(collection.row.id)
    taken, left = [], most
    for session, units in reversed(list(refundable(collection))):
        is_counted = session.currency_id == collection.row.currency_id
        if part := min(units, left) if is_counted else units:
            taken.append((session, part))
            left -= part if is_counted else 0
    owe_refunds(taken, CANCELED, created_by=created_by, no_notification=no_notification)
    for session in collection.sessions:
        if session.is_live:
            cancel_session(collection, session)
    if collection.row.captured_amount == collection.row.returned_amount:
        collection.row.status = CollectionStatus.CANCELED.value
    collection.write_rows()
    return most - left


def _end_open_requests(collection_id: str) -> None:
    """Withdraw captures that were never sent, and mark open refunds as owed: they are retried until they succeed.

    A capture that is being sent is refunded once it is recorded (orders/payment/order_payments.py).
    """
    still_open = Intent.objects.filter(session__collection=collection_id, done_at=None)
    still_open.filter(act=Act.CAPTURE, attempts=0).update(done_at=now(), result=Result.REFUSED, error=CANCELED)
    still_open.filter(act=Act.REFUND).update(is_owed=True)
