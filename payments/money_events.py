"""The events of captured and refunded money, for programs outside of the shop."""

from commerce.kit.outbox.recording import record_event
from payments.models import Capture, Refund

MONEY_EVENTS = {
    "payment.captured": "Money of a payment was captured, all of it or a part.",
    "payment.refunded": "Money of a payment was refunded, all of it or a part.",
}


def record_money_event(moved: Capture | Refund, *, order_of: str) -> None:
    """Record the event of a new capture or refund, in the transaction that writes it.

    order_of: the id of the collection, which an order's other events can use too.
    """
    act, key = ("captured", "capture_id") if isinstance(moved, Capture) else ("refunded", "refund_id")
    record_event(f"payment.{act}", about=moved.payment_id, order_of=order_of, data={key: moved.pk})
