"""What blocks an erasure: open orders, edits and returns, open attempts, and unfinished payments and refunds."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, QuerySet

from kit.values.written_amounts import written
from orders.common.summary import pending_difference_of
from orders.erasure.collections import carts_by_collection
from orders.models import CarrierRequest, CompletionAttempt, Order, OrderChange, OrderLineItem, Return
from orders.models.order_changes import OPEN_CHANGE
from orders.states import FINISHED, AttemptStatus, ChangeKind, OrderStatus, ReturnStatus
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.states import SessionStatus


class Blocker(NamedTuple):
    """cart_id: of the cart that is blocked itself, or by its order. text: the reason."""

    cart_id: str
    text: str


def blockers_of(cart_ids: Sequence[str]) -> list[Blocker]:
    """All blockers of these carts and of their orders. Nine statements.

    An order is open if it is pending and not fully delivered, paid and refunded. Orders that staff have completed,
    archived or canceled are closed, but their returns, payments and parcels may be open.
    """
    orders = {order.cart_id: order for order in Order.objects.filter(cart_id__in=cart_ids).order_by("display_id")}
    found = [
        *_of_orders(Order.objects.filter(cart_id__in=cart_ids, status=OrderStatus.PENDING)),
        *_of_parts(cart_ids),
        *_of_payments(cart_ids),
    ]
    named = ((blocker, orders.get(blocker.cart_id)) for blocker in found)
    return [
        Blocker(blocker.cart_id, f"{f'order {order}' if order else f'cart {blocker.cart_id}'}: {blocker.text}")
        for blocker, order in named
    ]


def _of_orders(pending: QuerySet[Order]) -> Iterator[Blocker]:
    goods = OrderLineItem.objects.not_deleted().filter(order=OuterRef("pk"), requires_shipping=True)
    for order in pending.annotate(is_sent=Exists(goods)).order_by("display_id"):
        if order.fulfillment_status not in FINISHED[order.is_sent]:
            yield Blocker(order.cart_id, "not all items are delivered")
        if owed := pending_difference_of(order):
            amount = written(abs(owed), order.currency_id)
            yield Blocker(order.cart_id, f"{amount} {'has not been paid' if owed > 0 else 'has not been refunded'}")


def _of_parts(cart_ids: Sequence[str]) -> Iterator[Blocker]:
    attempts = CompletionAttempt.objects.filter(cart_id__in=cart_ids, status=AttemptStatus.OPEN)
    for (cart_id,) in attempts.values_list("cart_id"):
        yield Blocker(cart_id, "it is being completed")
    ended = (ReturnStatus.RECEIVED, ReturnStatus.CANCELED)
    returns = Return.objects.not_deleted().filter(order__cart_id__in=cart_ids).exclude(status__in=ended)
    for cart_id, number in returns.order_by("pk").values_list("order__cart_id", "display_id"):
        yield Blocker(cart_id, f"return {number} is open")
    changes = OrderChange.objects.filter(OPEN_CHANGE, order__cart_id__in=cart_ids)
    for cart_id, kind in changes.order_by("pk").values_list("order__cart_id", "kind"):
        article = "a" if kind == ChangeKind.CLAIM else "an"
        yield Blocker(cart_id, f"{article} {kind} is neither confirmed nor canceled")
    parcels = CarrierRequest.objects.filter(fulfillment__order__cart_id__in=cart_ids, done_at=None)
    for (cart_id,) in parcels.values_list("fulfillment__order__cart_id").distinct():
        yield Blocker(cart_id, "a carrier has not answered yet")


def _of_payments(cart_ids: Sequence[str]) -> Iterator[Blocker]:
    """An authorized payment of an order that staff have completed anyway blocks nothing: it expires."""
    carts = carts_by_collection(cart_ids)
    requests = Intent.objects.filter(session__collection__in=list(carts), done_at=None)
    for collection_id, act in requests.values_list("session__collection", "act").distinct():
        yield Blocker(carts[collection_id], f"the provider has not answered the request to {act} a payment")
    settled = Order.objects.exclude(status=OrderStatus.PENDING).filter(pk=OuterRef("collection__order_id"))
    authorized = Payment.objects.not_deleted().filter(~Exists(settled), collection__in=list(carts))
    held = authorized.filter(canceled_at=None, captured_amount=0, session__deleted_at=None)
    for (collection_id,) in held.values_list("collection").distinct():
        yield Blocker(carts[collection_id], "an authorized payment is neither captured nor canceled")
    sessions = PaymentSession.objects.not_deleted().filter(collection__in=list(carts))
    waiting = sessions.filter(status=SessionStatus.PENDING_AUTHORIZATION)
    for (collection_id,) in waiting.values_list("collection").distinct():
        yield Blocker(carts[collection_id], "a payment is being authorized")
    unclaimed = PaymentCollection.objects.filter(
        cart__in=cart_ids, order_id=None, captured_amount__gt=F("refunded_amount")
    )
    for (cart_id,) in unclaimed.values_list("cart"):
        yield Blocker(cart_id, "captured money has not been refunded")
