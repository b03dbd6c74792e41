"""Transfers that staff request, make and cancel for customers."""

from django.db import transaction

from customers.models import Customer
from kit.domain.actor import Actor
from kit.values import email_address, text
from kit.values.timestamps import now
from orders.access.transfers.errors import NoTransferRequest, TransferOfCanceledOrder, UnknownRequester
from orders.access.transfers.open_transfers import end, lock_order, open_transfers
from orders.access.transfers.requesting import MAX_DESCRIPTION_LENGTH, insert_request
from orders.common import events
from orders.common.locked_order import write
from orders.common.search.entries import refresh_entry
from orders.managing import history
from orders.managing.notes import checked_note, write_note
from orders.models import Order
from orders.states import TransferStatus


@transaction.atomic
def request_for(
    *,
    actor: Actor,
    order_id: str,
    customer_id: str,
    description: str | None = None,
    internal_note: str | None = None,
    update_order_email: bool = False,
) -> None:
    """Request the order for a customer with an account, as the customer could: the order's email address is asked.

    internal_note: kept as a note of the order.
    Raises UnknownRequester, the errors of `requesting.request_transfer`, InvalidData (internal_note), Forbidden.
    """
    actor.require("orders.change_order")
    if description is not None:
        text.checked(description, field="description", longest=MAX_DESCRIPTION_LENGTH)
    order = lock_order(order_id, actor=actor)
    if not Customer.objects.not_deleted().filter(pk=customer_id, has_account=True).exists():
        raise UnknownRequester(customer_id)
    insert_request(order, customer_id, description=description, update_order_email=update_order_email)
    _record(order, "Requested a transfer.", actor, internal_note, "internal_note")


@transaction.atomic
def to_guest(
    *, actor: Actor, order_id: str, email: str, description: str | None = None, internal_note: str | None = None
) -> None:
    """Make the order a guest's with that email address, at once. Requests for it end.

    The account that has it loses it, and nobody is asked: staff answer for whose order it is. As the account knows its
    id, the guest sees it by its number and email address alone.
    description, internal_note: kept as notes of the order.
    Raises OrderNotFound, TransferOfCanceledOrder, InvalidData (email, notes), Forbidden.
    """
    actor.require("orders.change_order")
    address = email_address.checked(email)
    order = lock_order(order_id, actor=actor)
    if order.is_canceled:
        raise TransferOfCanceledOrder(order_id)
    end(open_transfers(order), TransferStatus.CANCELED)
    is_taken = order.customer is not None and order.customer.has_account
    left_account_at = now() if is_taken else order.left_account_at
    write(order, {"customer_id": None, "email": address, "left_account_at": left_account_at})
    refresh_entry(order_id)
    events.order_transferred(order_id)
    _record(order, "Transferred to a guest.", actor, description, "description")
    _record(order, "", actor, internal_note, "internal_note")


@transaction.atomic
def cancel_all(*, actor: Actor, order_id: str) -> None:
    """End all requests for the order: their tokens no longer count.

    Raises OrderNotFound, NoTransferRequest, Forbidden.
    """
    actor.require("orders.change_order")
    order = lock_order(order_id, actor=actor)
    if not open_transfers(order).exists():
        raise NoTransferRequest(order_id)
    end(open_transfers(order), TransferStatus.CANCELED)
    _record(order, "Canceled the transfer.", actor)


def _record(order: Order, message: str, actor: Actor, note: str | None = None, field: str = "") -> None:
    if note:
        write_note(order, checked_note(note, field=field), actor=actor)
    if message:
        history.record(order, message, actor=actor)
