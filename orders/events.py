"""What an order reports: events for webhooks, and mails. In the transaction of what they report."""

from commerce.kit.mails.queueing import queue_mail
from commerce.kit.outbox.recording import record_event


def order_placed(order_id: str) -> None:
    """A cart became an order."""
    record_event("order.placed", about=order_id, order_of=order_id)
    queue_mail("order_placed", about=order_id, is_for_guest=True)
