"""Requesting the transfer of an order."""

from django.db import transaction

from kit.domain.actor import Actor
from kit.errors import Forbidden
from kit.safety.throttling.counters import hit
from kit.values import text
from orders.access.transfers.errors import AlreadyRequested, AlreadyTheirs, NobodyToAsk, TransferOfCanceledOrder
from orders.access.transfers.open_transfers import end, is_expired, lock_order, open_transfers
from orders.common import events
from orders.models import Order, OrderTransfer
from orders.states import TransferStatus

MAX_DESCRIPTION_LENGTH = 1_000


def count_request(*, actor: Actor) -> None:
    """Count a request of the actor's account, valid or not: each may send an email to the address of another person.

    Must not be called inside a transaction (RuntimeError). Raises TooManyRequests.
    """
    hit(throttle="order_transfers", subject=actor.id or "")


@transaction.atomic
def request_transfer(
    *, actor: Actor, order_id: str, description: str | None = None, update_order_email: bool = False
) -> None:
    """Ask for an order of somebody else: an email to the order's address has the token that accepts or declines.

    Nothing here depends on whether that address has an account. The order can be used and changed as before.
    update_order_email: whether the order also gets the email address that the customer then has.
    Raises OrderNotFound, AlreadyTheirs, TransferOfCanceledOrder, NobodyToAsk, AlreadyRequested, InvalidData
    (description), and Forbidden for actors who are not customers. Why:
    docs/decisions/orders.md#transfers-reveal-nothing.
    """
    if actor.type != "customer" or actor.id is None:
        raise Forbidden("Only a customer can request an order")
    if description is not None:
        text.checked(description, field="description", longest=MAX_DESCRIPTION_LENGTH)
    order = lock_order(order_id, actor=actor)
    insert_request(order, actor.id, description=description, update_order_email=update_order_email)


def insert_request(order: Order, customer_id: str, *, description: str | None, update_order_email: bool) -> None:
    """Insert the request of that customer for the locked order. Raises the errors of `request_transfer` about orders.

    description: checked.
    """
    if order.customer_id == customer_id:
        raise AlreadyTheirs(order.pk, customer_id)
    if order.is_canceled:
        raise TransferOfCanceledOrder(order.pk)
    if not order.email:
        raise NobodyToAsk(order.pk)
    own = open_transfers(order).filter(customer_id=customer_id)
    if any(not is_expired(transfer) for transfer in own):
        raise AlreadyRequested(order.pk)
    end(own, TransferStatus.CANCELED)
    transfer = OrderTransfer.objects.create(
        order=order, customer_id=customer_id, description=description, update_order_email=update_order_email
    )
    events.transfer_requested(order.pk, transfer.pk)
