"""Deleting expired rows and files."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from django.conf import settings
from django.contrib.sessions.models import Session
from django_tasks_db.models import DBTaskResult

from auth.passwords import password_reset
from auth.signing_in import known_networks
from catalog.models import ProductCount
from catalog.prices.lowest_prices import recomputing as lowest_prices
from catalog.stock.lowest_stock import recomputing as lowest_stock
from commerce.picture_columns import COLUMNS
from kit.derived import count_folding
from kit.jobs import expiry as job_expiry
from kit.messages.mails import expiry as mail_expiry
from kit.messages.outbox import expiry as event_expiry
from kit.messages.webhooks import expiry as delivery_expiry
from kit.safety.idempotency import replay
from kit.safety.throttling import counters
from kit.spreadsheets import expiry as spreadsheet_expiry
from kit.values.timestamps import now
from kit.writes.batched_deletion import delete_in_batches
from orders.access.lookups import requesting as order_lookups
from orders.completion import expired_carts
from orders.erasure.retention import finish_erasures
from orders.models import OrderCount, OrderRangeCount
from orders.reports.export import files
from pictures import expiry as picture_expiry
from pictures import originals, presigned
from taxes.quotes import stored_quotes


def prune() -> Iterator[tuple[str, int]]:
    """Delete expired rows and files; yields how many of each kind, once it has. Raises Conflict if rows stay locked."""
    return ((kind, discard_expired()) for kind, discard_expired in _KINDS.items())


def _discard_sessions() -> int:
    """Not by the session store's `clear_expired`, which neither counts nor deletes in batches."""
    return delete_in_batches(Session.objects.filter(expire_date__lt=now()))


def _discard_task_results() -> int:
    """Like `prune_db_task_results` of django-tasks-db for all queues, but in batches."""
    return delete_in_batches(
        DBTaskResult.objects.finished().filter(finished_at__lt=now() - settings.TASK_RESULT_LIFETIME)
    )


_KINDS: Mapping[str, Callable[[], int]] = {
    "answers kept for an Idempotency-Key": replay.discard_expired,
    "throttle counters": counters.discard_expired,
    "addresses of sign-ins": known_networks.discard_expired,
    "sessions": _discard_sessions,
    "finished background tasks": _discard_task_results,
    "finished jobs": job_expiry.discard_expired,
    "requests for a new password": password_reset.discard_expired,
    "requests for an order": order_lookups.discard_expired,
    "old emails": mail_expiry.discard_expired,
    "webhook deliveries": delivery_expiry.discard_expired,
    "events": event_expiry.discard_expired,
    "orders' personal data": finish_erasures,
    "expired carts": expired_carts.discard_expired,
    "files of exports": files.discard_expired,
    "imports and exports of spreadsheets": spreadsheet_expiry.discard_expired,
    "responses of tax providers": stored_quotes.discard_expired,
    "unused pictures": partial(picture_expiry.discard_unnamed, COLUMNS),
    "refused uploads": presigned.discard_expired,
    "parts of uploads": originals.discard_partial,
    "superseded counts of orders": partial(count_folding.fold, OrderCount, OrderRangeCount),
    "superseded counts of products": partial(count_folding.fold, ProductCount),
    "marks of stale prices": lowest_prices.recompute,
    "marks of stale stock": lowest_stock.recompute,
}
