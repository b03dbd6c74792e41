"""Canceling the transfer of an order."""

from django.db import transaction

from kit.domain.actor import Actor
from orders.access.transfers.errors import NoTransferRequest, NotTheRequester
from orders.access.transfers.open_transfers import end, lock_order, open_transfers
from orders.states import TransferStatus


@transaction.atomic
def cancel(*, actor: Actor, order_id: str) -> None:
    """End the request of the actor's customer. Its token no longer counts.

    Raises OrderNotFound, NoTransferRequest, and NotTheRequester if there are only requests of others.
    """
    order = lock_order(order_id, actor=actor)
    own = open_transfers(order).filter(customer_id=actor.id if actor.type == "customer" else None)
    if not own.exists():
        raise NotTheRequester if open_transfers(order).exists() else NoTransferRequest(order_id)
    end(own, TransferStatus.CANCELED)
