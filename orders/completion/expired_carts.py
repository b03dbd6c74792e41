"""Deleting carts that nobody has changed for long, with everything that belongs to them.

Never a draft, nor one with an order, an open attempt, money, or a payment session that may still be paid.
Why: docs/decisions/carts.md#expired-carts-are-deleted-for-good.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from carts.details.deletion import delete_carts
from carts.models import Cart, LineItem
from carts.models.carts import EMPTY, OF_CUSTOMERS, OF_GUESTS
from kit.database.locking import retry_on_conflict
from kit.values.timestamps import now
from orders.models import CompletionAttempt, Order
from orders.states import AttemptStatus
from payments.lifecycle.cart_expiry import cancel_sessions, delete_collections, without_money, without_sessions

BATCH_CARTS, BATCH_LINES = 20, 500
"""The most in a transaction; a cart with more lines is alone."""

_PAGE = 1000


def discard_expired() -> int:
    """Delete the carts that have expired; returns how many.

    A live payment session of one is canceled first; the cart follows once its provider has nothing to report any more.
    Raises Conflict.
    """
    moment = now()
    kinds = (
        (EMPTY, "empty_since", settings.EMPTY_CART_LIFETIME),
        (OF_GUESTS, "created_at", settings.GUEST_CART_LIFETIME),
        (OF_CUSTOMERS, "created_at", settings.CUSTOMER_CART_LIFETIME),
    )
    return sum(_discard(kind, since, moment - lifetime) for kind, since, lifetime in kinds)


def _discard(kind: Q, since: str, limit: datetime) -> int:
    """The carts of the kind whose column `since`, which an index has, and whose last change lie before the limit."""
    unchanged = Cart.objects.filter(kind, Q(is_draft=False) | Q(deleted_at__isnull=False), updated_at__lt=limit)
    if kind is EMPTY:
        unchanged = unchanged.exclude(Exists(LineItem.objects.filter(cart=OuterRef("pk"))))
    discarded = 0
    for page in _pages(unchanged.filter(**{f"{since}__lt": limit}), since):
        for cart_ids in _batches(_unclaimed(Cart.objects.filter(pk__in=page), limit)):
            discarded += retry_on_conflict(partial(_discard_batch, unchanged, cart_ids, limit))
    return discarded


def _pages(carts: QuerySet[Cart], since: str) -> Iterator[list[str]]:
    """The ids in the order of the column, each once: those of carts that are kept are passed."""
    last: tuple[datetime, str] | None = None
    while page := list(_behind(carts, since, last).order_by(since, "pk").values_list(since, "pk")[:_PAGE]):
        yield [cart_id for _, cart_id in page]
        last = page[-1]


def _batches(carts: QuerySet[Cart]) -> Iterator[list[str]]:
    batch: list[str] = []
    lines = 0
    for cart_id, number in carts.annotate(lines=_LINES).order_by("pk").values_list("pk", "lines"):
        if batch and (len(batch) == BATCH_CARTS or lines + (number or 0) > BATCH_LINES):
            yield batch
            batch, lines = [], 0
        batch.append(cart_id)
        lines += number or 0
    if batch:
        yield batch


def _behind(carts: QuerySet[Cart], since: str, last: tuple[datetime, str] | None) -> QuerySet[Cart]:
    if last is None:
        return carts
    moment, cart_id = last
    behind = Q(**{f"{since}__gt": moment}) | Q(**{since: moment, "pk__gt": cart_id})
    return carts.filter(behind, **{f"{since}__gte": moment})  # which the index can use


@transaction.atomic
def _discard_batch(unchanged: QuerySet[Cart], cart_ids: Sequence[str], limit: datetime) -> int:
    """Of carts that somebody has locked, none is waited for: it is about to change."""
    locked = unchanged.filter(pk__in=cart_ids).order_by("pk").select_for_update(of=("self",), skip_locked=True)
    expired = _unclaimed(Cart.objects.filter(pk__in=[row.pk for row in locked.only("pk")]), limit)
    gone = list(without_sessions(expired).values_list("pk", flat=True))
    cancel_sessions([cart_id for cart_id in expired.values_list("pk", flat=True) if cart_id not in gone])
    CompletionAttempt.objects.filter(cart_id__in=gone).delete()
    delete_collections(gone)
    delete_carts(gone)
    return len(gone)


def _unclaimed(carts: QuerySet[Cart], limit: datetime) -> QuerySet[Cart]:
    """Those of the carts that nothing holds. Read again once they are locked: a change may have come before."""
    orders = Order.objects.filter(cart_id=OuterRef("pk"))
    attempts = CompletionAttempt.objects.filter(cart_id=OuterRef("pk"), status=AttemptStatus.OPEN)
    changed = LineItem.objects.filter(cart=OuterRef("pk"), updated_at__gte=limit)
    return without_money(carts.filter(closed_at=None)).exclude(Exists(orders) | Exists(attempts) | Exists(changed))


_OF_CART = LineItem.objects.filter(cart=OuterRef("pk")).order_by().values("cart")
_LINES = Subquery(_OF_CART.annotate(number=Count("pk")).values("number"))
