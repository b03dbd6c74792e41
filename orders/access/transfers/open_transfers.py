"""The open transfers of an order: those that have been requested, and neither answered nor canceled."""

from hmac import compare_digest

from django.db.models import QuerySet

from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.messages.mails.tokens import token_digest
from kit.values.timestamps import now
from orders.access.transfers.errors import InvalidTransferToken, NoTransferRequest
from orders.common.errors import OrderNotFound
from orders.models import Order, OrderTransfer
from orders.states import TransferStatus


def lock_order(order_id: str, *, actor: Actor) -> Order:
    """The order with that id, of any customer, locked until the transaction ends; for shoppers, one in their channels.

    Raises OrderNotFound.
    """
    orders = Order.objects.not_deleted().filter(erasure_requested_at=None)
    if not actor.is_trusted:
        orders = orders.filter(sales_channel_id__in=actor.sales_channel_ids)
    order: Order | None = lock_row(orders, order_id)
    if order is None:
        raise OrderNotFound(order_id)
    return order


def open_transfers(order: Order) -> QuerySet[OrderTransfer]:
    """The open transfers of the order, including expired ones."""
    return OrderTransfer.objects.filter(order=order, status=TransferStatus.REQUESTED)


def is_expired(transfer: OrderTransfer) -> bool:
    """Whether the transfer's token is no longer valid. That of an email that is still to be sent has not begun to."""
    return transfer.expires_at is not None and transfer.expires_at <= now()


def transfer_of_token(order: Order, token: str) -> OrderTransfer:
    """The open transfer of the locked order that the token answers. Raises InvalidTransferToken, NoTransferRequest.

    It is looked up by the digest of 256 random bits: how long that takes says nothing about them.
    """
    digest = token_digest(token)
    of_accounts = open_transfers(order).filter(customer__deleted_at=None, customer__has_account=True)
    transfer = of_accounts.filter(token_digest=digest).first()
    if transfer is not None and compare_digest(str(transfer.token_digest), digest) and not is_expired(transfer):
        return transfer
    if not OrderTransfer.objects.filter(order=order).exists():
        raise NoTransferRequest(order.pk)
    raise InvalidTransferToken


def end(transfers: QuerySet[OrderTransfer], status: TransferStatus) -> None:
    """Give transfers of a locked order their final status."""
    transfers.update(status=status, ended_at=now())
