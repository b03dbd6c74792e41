"""What an order reports: events for webhooks, and mails. In the transaction of what they report."""

from commerce.kit.mails.queueing import queue_mail


def order_placed(order_id: str) -> None:
    """A cart became an order."""
    queue_mail("order_placed", about=order_id)
