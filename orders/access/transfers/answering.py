"""Accepting and declining the transfer of an order: with the token of the email, signed in or not."""

from django.db import transaction

from kit.domain.actor import Actor
from orders.access.transfers.errors import TransferOfCanceledOrder
from orders.access.transfers.open_transfers import end, lock_order, open_transfers, transfer_of_token
from orders.common import events
from orders.common.search.entries import refresh_entry
from orders.states import TransferStatus


@transaction.atomic
def accept(*, actor: Actor, order_id: str, token: str) -> None:
    """Give the order to the customer who has requested it. All other requests for it end too.

    Raises OrderNotFound, InvalidTransferToken, NoTransferRequest, TransferOfCanceledOrder.
    """
    order = lock_order(order_id, actor=actor)
    transfer = transfer_of_token(order, token)
    if order.is_canceled:
        raise TransferOfCanceledOrder(order_id)
    end(open_transfers(order).filter(pk=transfer.pk), TransferStatus.ACCEPTED)
    end(open_transfers(order), TransferStatus.CANCELED)
    order.customer_id, order.left_account_at = transfer.customer_id, None
    if transfer.update_order_email:
        order.email = transfer.customer.email
    order.save(update_fields=["customer", "left_account_at", "email", "updated_at"])
    if transfer.update_order_email:
        refresh_entry(order_id)
    events.order_transferred(order_id)


@transaction.atomic
def decline(*, actor: Actor, order_id: str, token: str) -> None:
    """Leave the order where it is. The request has ended; the customer can make another one.

    Raises OrderNotFound, InvalidTransferToken, NoTransferRequest.
    """
    order = lock_order(order_id, actor=actor)
    transfer = transfer_of_token(order, token)
    end(open_transfers(order).filter(pk=transfer.pk), TransferStatus.DECLINED)
