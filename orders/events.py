"""What an order reports: events for webhooks, and mails. In the transaction of what they report."""

from commerce.kit.mails.queueing import queue_mail

from commerce.kit.outbox.recording import record_event


def order_placed(order_id: str) -> None:
    """A cart became an order."""
    record_event("order.placed", about=order_id, order_of=order_id, data={"id": order_id})
    queue_mail("order_placed", about=order_id)


def order_updated(order_id: str) -> None:
    """The order's customer or e-mail address changed."""
    record_event("order.updated", about=order_id, order_of=order_id, data={"id": order_id})


def transfer_requested(order_id: str, transfer_id: str) -> None:
    """A customer asks for the order. A stranger can cause the mail to its address, so that mails to it are limited."""
    data = {"id": order_id, "transfer_id": transfer_id}
    record_event("order.transfer_requested", about=order_id, order_of=order_id, data=data)
    queue_mail("transfer_requested", about=transfer_id, is_for_guest=True)


def gift_card_issued(card_id: str) -> None:
    """A gift card that was bought exists now; its mail holds the code."""
    queue_mail("gift_card", about=card_id)
