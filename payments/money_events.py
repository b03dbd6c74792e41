"""The events of captured and refunded money, for programs outside of the shop."""

from commerce.kit.outbox.recording import record_event
from payments.models import Capture, PaymentCollection, Refund

MONEY_EVENTS = {
    "payment.captured": "Money of a payment was captured, all of it or a part.",
    "payment.refunded": "Money of a payment was refunded, all of it or a part.",
}


def record_money_event(moved: Capture | Refund, *, collection_id: str) -> None:
    """Record the event of a new capture or refund, in the transaction that writes it. Two statements.

    The money of an order comes in the order of its other events. Before there is an order, that of the collection does.
    """
    act, key = ("captured", "capture_id") if isinstance(moved, Capture) else ("refunded", "refund_id")
    orders = PaymentCollection.objects.filter(pk=collection_id).values_list("order_id", flat=True)
    record_event(f"payment.{act}", about=moved.payment_id, order_of=orders.get() or collection_id, data={key: moved.pk})
