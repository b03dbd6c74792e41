"""Deleting carts that nobody has changed for long, with everything that belongs to them.

Never one with an order, an open attempt, money, or a payment session that may still be paid.
Why: docs/decisions/carts.md#expired-carts-are-deleted-for-good.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from carts.details.deletion import delete_carts
from carts.models import Cart, LineItem
from carts.models.carts import EMPTY, OF_CUSTOMERS, OF_GUESTS
from kit.database.locking import retry_on_conflict
from kit.values.timestamps import now
from orders.models import CompletionAttempt, Order
from orders.states import AttemptStatus
from payments.lifecycle.cart_expiry import cancel_sessions, delete_collections, without_money, without_sessions

BATCH = 20
"""Carts in a transaction: of a thousand lines each, they take a second or two."""

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
    unchanged = Cart.objects.filter(kind, updated_at__lt=limit)
    if kind is EMPTY:
        unchanged = unchanged.exclude(Exists(LineItem.objects.filter(cart=OuterRef("pk"))))
    discarded = 0
    for cart_ids in _batches(unchanged.filter(**{f"{since}__lt": limit}), since):
        discarded += retry_on_conflict(partial(_discard_batch, unchanged, cart_ids, limit))
    return discarded


def _batches(carts: QuerySet[Cart], since: str) -> Iterator[list[str]]:
    """The ids in the order of the column, each once: those of carts that are kept are passed."""
    last: tuple[datetime, str] | None = None
    while page := list(_behind(carts, since, last).order_by(since, "pk").values_list(since, "pk")[:_PAGE]):
        for start in range(0, len(page), BATCH):
            yield [cart_id for _, cart_id in page[start : start + BATCH]]
        last = page[-1]


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


def _unclaimed(locked: QuerySet[Cart], limit: datetime) -> QuerySet[Cart]:
    """Those of the locked carts that nothing holds. Read once they are locked: a change may have come before."""
    orders = Order.objects.filter(cart_id=OuterRef("pk"))
    attempts = CompletionAttempt.objects.filter(cart_id=OuterRef("pk"), status=AttemptStatus.OPEN)
    changed = LineItem.objects.filter(cart=OuterRef("pk"), updated_at__gte=limit)
    return without_money(locked.filter(closed_at=None)).exclude(Exists(orders) | Exists(attempts) | Exists(changed))
