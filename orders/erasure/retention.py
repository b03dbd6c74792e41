"""Finishing erasures: orders and documents whose retention time has passed, and rows that concurrent requests wrote."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef

from carts.models import Cart
from customers.models import Customer
from kit.database.locking import lock_rows, retry_on_conflict
from kit.safety.idempotency.mentions import erase_responses
from kit.values.timestamps import now
from orders.erasure.batches import BATCH, batches
from orders.erasure.blockers import blockers_of
from orders.erasure.carts import erase_carts, erase_payments
from orders.erasure.documents import erase_buyers
from orders.erasure.orders import erase_orders_with_payments, last_due
from orders.models import Order


def finish_erasures() -> int:
    """Erase what is due; returns the number of orders. Each batch is a transaction. Raises Conflict.

    Then the buyers of documents are erased that were kept long enough.

    An order that has been reopened, for example by a return, waits for the next run.
    """
    _sweep()
    due = Order.objects.filter(erasure_requested_at__isnull=False, erased_at=None, created_at__lte=last_due())
    order_ids: list[str] = list(due.order_by("pk").values_list("pk", flat=True))
    erased = 0
    for batch in batches(order_ids):
        erased += retry_on_conflict(partial(_finish, batch))
    retry_on_conflict(erase_buyers)
    return erased


@transaction.atomic
def _finish(order_ids: Sequence[str]) -> int:
    rows = Order.objects.filter(pk__in=order_ids, erased_at=None)
    lock_rows(Cart.objects.filter(pk__in=rows.values("cart_id")))
    orders: list[Order] = lock_rows(rows)
    open_carts = {blocker.cart_id for blocker in blockers_of([order.cart_id for order in orders])}
    closed = [order for order in orders if order.cart_id not in open_carts]
    if names := erase_orders_with_payments(closed):
        erase_responses(names=names, actors=())
    return len(closed)


def _sweep() -> None:
    """Erase carts and orders that erased customers got from requests that were checked before the erasure."""
    erased = Exists(Customer.objects.filter(pk=OuterRef("customer"), erased_at__isnull=False))
    left = Cart.objects.filter(erased, deleted_at=None).order_by("pk")
    while cart_ids := list(left.values_list("pk", flat=True)[:BATCH]):
        retry_on_conflict(partial(_erase_left, cart_ids))
    Order.objects.filter(erased, erasure_requested_at=None).update(erasure_requested_at=now())


@transaction.atomic
def _erase_left(cart_ids: list[str]) -> None:
    lock_rows(Cart.objects.filter(pk__in=cart_ids))
    erase_carts(cart_ids)
    erase_payments(cart_ids)
