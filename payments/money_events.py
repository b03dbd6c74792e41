"""The events of captured and refunded money, for programs outside of the shop."""

from kit.messages.outbox.recording import record_event
from payments.states import Act

MONEY_EVENTS = {
    "payment.captured": "Money of a payment was captured, all of it or a part.",
    "payment.refunded": "Money of a payment was refunded, all of it or a part.",
}


_EVENTS = {Act.CAPTURE: ("payment.captured", "capture_id"), Act.REFUND: ("payment.refunded", "refund_id")}


def record_money_event(
    act: Act, movement_id: str, *, payment_id: str, collection_id: str, order_id: str | None
) -> None:
    """Record the event of a new capture or refund, in the transaction that writes it. One statement.

    order_id: null until there is an order. The event is delivered in sequence with the order's other events, until then
    with the collection's.
    """
    name, key = _EVENTS[act]
    data = {key: movement_id, "order_id": order_id}
    record_event(name, about=payment_id, order_of=order_id or collection_id, data=data)
