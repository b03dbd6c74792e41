"""The events of captured and refunded money, for programs outside of the shop."""

from commerce.kit.outbox.recording import record_event
from payments.models import Capture, PaymentCollection, Refund

MONEY_EVENTS = {
    "payment.captured": "Money of a payment was captured, all of it or a part.",
    "payment.refunded": "Money of a payment was refunded, all of it or a part.",
}


def record_money_event(moved: Capture | Refund, *, collection_id: str) -> None:
    """Record the event of a new capture or refund, in the transaction that writes it. Two statements.

    It has the id of the order, null until there is one, and is delivered in sequence with the order's other events,
    until then with the collection's.
    """
    act, key = ("captured", "capture_id") if isinstance(moved, Capture) else ("refunded", "refund_id")
    order_id = PaymentCollection.objects.values_list("order_id", flat=True).get(pk=collection_id)
    data = {key: moved.pk, "order_id": order_id}
    record_event(f"payment.{act}", about=moved.payment_id, order_of=order_id or collection_id, data=data)
