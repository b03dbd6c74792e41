"""What an order reports: events for webhooks, and emails. In the transaction of what they report."""

from collections.abc import Collection

from kit.messages.mails.queueing import queue_mail, queue_mails, queue_next_mail
from kit.messages.outbox.recording import record_event
from orders.common.change_ids import exposed_ids

ORDER_EVENTS = {
    "credit_note.created": "A credit note of an order was written.",
    "delivery.created": "A fulfillment was delivered.",
    "invoice.created": "An invoice of an order was written.",
    "order-edit.canceled": "An edit of an order was canceled, or its order was.",
    "order-edit.confirmed": "An edit of an order was confirmed: its lines, shipping and totals have changed.",
    "order-edit.requested": "An edit of an order is ready to be confirmed.",
    "order.archived": "A completed or canceled order was archived.",
    "order.canceled": "An order was canceled.",
    "order.completed": "An order was completed.",
    "order.claim_created": "A claim was confirmed: the order's lines, returns and totals have changed.",
    "order.exchange_created": "An exchange was confirmed: the order's lines, returns and totals have changed.",
    "order.fulfillment_canceled": "A fulfillment was canceled, by staff or because its provider refused it.",
    "order.fulfillment_created": "Units of an order were packed.",
    "order.payment_requested": "Staff or a program made a link by which the customer pays what an order still owes.",
    "order.placed": "A cart became an order.",
    "order.refunded": "Gift cards or store credit were refunded; payment.refunded reports refunds of payments.",
    "order.return_received": "Units of a return were received.",
    "order.return_requested": "A customer or staff requested a return; "
    "`order.exchange_created` and `order.claim_created` report those of exchanges and claims.",
    "order.transfer_requested": "A customer requested the transfer of another person's order.",
    "order.updated": "The customer or the details of an order changed, or an exchange or a claim was canceled.",
    "shipment.created": "A fulfillment was shipped.",
}


def order_placed(order_id: str) -> None:
    """A cart became an order."""
    record_event("order.placed", about=order_id, order_of=order_id)
    queue_mail("order_placed", about=order_id, is_for_guest=True)


def transfer_requested(order_id: str, transfer_id: str) -> None:
    """A customer asks for the order. Any account can cause the email: it counts for the limit of an address."""
    data = {"id": order_id, "transfer_id": transfer_id}
    record_event("order.transfer_requested", about=order_id, order_of=order_id, data=data)
    queue_mail("transfer_requested", about=transfer_id, is_for_guest=True)


def order_transferred(order_id: str) -> None:
    """The order has another customer now."""
    order_updated(order_id)


def order_updated(order_id: str) -> None:
    """Details of the order changed."""
    record_event("order.updated", about=order_id, order_of=order_id, data={"id": order_id})


def edit_requested(order_id: str, change_id: str) -> None:
    """Staff have marked the change as ready."""
    _edit_event("order-edit.requested", order_id, change_id)


def edit_confirmed(order_id: str, change_id: str, *, is_mailed: bool) -> None:
    """The order has changed. is_mailed: whether the customer gets an email."""
    _edit_event("order-edit.confirmed", order_id, change_id)
    if is_mailed:
        queue_mail("order_changed", about=change_id)


def edit_canceled(order_id: str, change_id: str) -> None:
    """The change was canceled, or its order."""
    _edit_event("order-edit.canceled", order_id, change_id)


def goods_changed(order_id: str, change_id: str, kind: str, *, is_mailed: bool) -> None:
    """An exchange or a claim was confirmed. kind: which. is_mailed: whether the customer gets an email."""
    data = {"id": order_id, "order_id": order_id, "change_id": change_id, **exposed_ids(change_id, kind)}
    record_event(f"order.{kind}_created", about=order_id, order_of=order_id, data=data)
    if is_mailed:
        queue_mail("order_changed", about=change_id)


def goods_change_canceled(order_id: str, change_id: str, kind: str) -> None:
    """A confirmed exchange or claim was canceled."""
    data = {"id": order_id, "order_id": order_id, "change_id": change_id, **exposed_ids(change_id, kind)}
    record_event("order.updated", about=order_id, order_of=order_id, data=data)


def order_completed(order_id: str) -> None:
    """Staff have completed the order."""
    record_event("order.completed", about=order_id, order_of=order_id)


def order_archived(order_id: str) -> None:
    """The order was archived."""
    record_event("order.archived", about=order_id, order_of=order_id)


def order_canceled(order_id: str, *, is_mailed: bool) -> None:
    """The order was canceled. is_mailed: whether the customer gets an email."""
    record_event("order.canceled", about=order_id, order_of=order_id)
    if is_mailed:
        queue_mail("order_canceled", about=order_id)


def fulfillment_created(order_id: str, fulfillment_id: str) -> None:
    """Units of the order were packed."""
    _fulfillment_event("order.fulfillment_created", order_id, fulfillment_id)


def fulfillment_canceled(order_id: str, fulfillment_id: str) -> None:
    """The fulfillment was canceled."""
    _fulfillment_event("order.fulfillment_canceled", order_id, fulfillment_id)


def fulfillment_shipped(order_id: str, fulfillment_id: str, *, is_mailed: bool) -> None:
    """The fulfillment was shipped. is_mailed: whether the customer gets an email."""
    record_event("shipment.created", about=fulfillment_id, order_of=order_id, data={"order_id": order_id})
    if is_mailed:
        queue_mail("order_shipped", about=fulfillment_id)


def fulfillment_delivered(order_id: str, fulfillment_id: str) -> None:
    """The fulfillment was delivered."""
    record_event("delivery.created", about=fulfillment_id, order_of=order_id, data={"order_id": order_id})


def payment_requested(order_id: str, link_id: str, *, is_mailed: bool) -> None:
    """A link was made that pays what the order owes. is_mailed: whether the customer gets it by email."""
    data = {"id": order_id, "payment_link_id": link_id}
    record_event("order.payment_requested", about=order_id, order_of=order_id, data=data)
    if is_mailed:
        queue_mail("payment_requested", about=link_id)


def credit_refunded(order_id: str, refund_id: str) -> None:
    """Record that a refund went to gift cards or store credit, in part or completely."""
    data = {"order_id": order_id, "refund_id": refund_id}
    record_event("order.refunded", about=order_id, order_of=order_id, data=data)


def money_returned(part_ids: Collection[str]) -> None:
    """The money of these parts of refunds has reached where it was paid from, or the customer's store credit."""
    queue_mails("order_refunded", about=part_ids)


def return_requested(order_id: str, return_id: str, *, is_mailed: bool) -> None:
    """A return of units of the order was requested. Customers can cause the email, so the limit applies to it."""
    _return_event("order.return_requested", order_id, return_id)
    if is_mailed:
        queue_mail("return_requested", about=return_id, is_for_guest=True)


def return_received(order_id: str, return_id: str, *, is_mailed: bool) -> None:
    """Some or all units of the return were received. Each receipt has an email. is_mailed: whether this one has."""
    _return_event("order.return_received", order_id, return_id)
    if is_mailed:
        queue_next_mail("return_received", about=return_id)


def _return_event(name: str, order_id: str, return_id: str) -> None:
    record_event(name, about=order_id, order_of=order_id, data={"order_id": order_id, "return_id": return_id})


def _edit_event(name: str, order_id: str, change_id: str) -> None:
    data = {"order_id": order_id, "change_id": change_id}
    record_event(name, about=change_id, order_of=order_id, data=data)


def _fulfillment_event(name: str, order_id: str, fulfillment_id: str) -> None:
    data = {"order_id": order_id, "fulfillment_id": fulfillment_id}
    record_event(name, about=order_id, order_of=order_id, data=data)
