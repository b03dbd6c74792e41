"""The events of captured and refunded money, for programs outside of the shop."""

from commerce.kit.outbox.recording import record_event
from payments.models import Capture, Refund

MONEY_EVENTS = {
    "payment.captured": "Money of a payment was captured, all of it or a part.",
    "payment.refunded": "Money of a payment was refunded, all of it or a part.",
}


def record_money_event(moved: Capture | Refund) -> None:
    """Record the event of a new capture or refund, in the transaction that writes it."""
    act, key = ("captured", "capture_id") if isinstance(moved, Capture) else ("refunded", "refund_id")
    collection = moved.payment.collection
    record_event(
        f"payment.{act}",
        about=moved.payment.pk,
        order_of=collection.order_id or collection.cart_id,
        data={key: moved.pk},
    )
