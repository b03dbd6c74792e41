"""Finishing completions whose request is gone: the shopper never returned, or the process died.

The provider's event, or the background worker that brings its answer, queues `complete_paid_cart`. `resume_all` finds
what was lost between. Why: docs/decisions/orders.md#completion-does-not-need-the-shopper.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django_tasks import task

from carts.checkout.payment import lock_payable
from carts.pricing.locked_cart import lock_cart, with_parts
from kit.database.locking import retry_on_conflict
from kit.domain.actor import SYSTEM
from kit.errors import Conflict, DomainError
from kit.jobs.queues import SLOW, URGENT
from kit.values.timestamps import now
from kit.writes.leases import GRACE
from orders.completion.attempts import release_attempt
from orders.completion.completing import complete
from orders.completion.settling import settle
from orders.completion.unclaimed import PaidCart, carts_to_complete, carts_to_refund
from orders.models import CompletionAttempt
from orders.states import AttemptStatus
from payments.lifecycle.completion import owe_refund, release_session
from payments.models import Intent
from payments.requests.slow_providers import line, provider_of_cart
from payments.states import Act
from shop.errors import ProviderUnavailable

log = structlog.get_logger(__name__)

NO_ANSWER = "The payment provider did not answer in time"
NOT_COMPLETED = "The cart was not completed"


@task(queue_name=URGENT)
def complete_paid_cart(cart_id: str) -> None:
    """Complete a cart whose payment is settled. A refusal is logged: the shopper can still correct it and return.

    That of a slow payment provider moves to a queue of its own.
    """
    with line(provider_of_cart(cart_id)) as is_free:
        if is_free:
            _complete(cart_id)
        else:
            complete_slowly.enqueue(cart_id=cart_id)


@task(queue_name=SLOW)
def complete_slowly(cart_id: str) -> None:
    """Complete a cart whose payment provider is slow."""
    _complete(cart_id)


def complete_later(cart_id: str) -> None:
    """Queue the completion of a cart whose payment was settled while no request waited."""
    complete_paid_cart.enqueue(cart_id=cart_id)


@dataclass(slots=True)
class Resumed:
    """How many attempts and carts `resume_all` found, and how many collections it refunds."""

    attempts: int = 0
    carts: int = 0
    refunds: int = 0


def resume_all() -> Resumed:
    """Settle open attempts, complete paid carts, and refund money that no order claims. One failure stops no other."""
    done = _resume_attempts(_open_attempts())
    limit = now() - settings.UNCLAIMED_MONEY_LIFETIME
    for cart in carts_to_complete(since=limit):
        done.carts += 1
        with _isolated(cart.cart_id):
            _complete(cart.cart_id)
    for cart in carts_to_refund(before=limit):
        with _isolated(cart.cart_id):
            done.refunds += retry_on_conflict(partial(_refund, cart))
    return done


def resume_due_attempts() -> Resumed:
    """Settle the open attempts whose payment provider has answered, and call none.

    The open requests of others are carried out like all requests to providers (payments/requests/due_requests.py).
    """
    asking = Intent.objects.filter(session=OuterRef("session_id"), act=Act.AUTHORIZE, done_at=None)
    return _resume_attempts(_open_attempts().filter(~Exists(asking), created_at__lt=now() - GRACE))


def _open_attempts() -> "QuerySet[CompletionAttempt]":
    found: QuerySet[CompletionAttempt] = CompletionAttempt.objects.filter(status=AttemptStatus.OPEN)
    return found.order_by("pk")


def _resume_attempts(attempts: "QuerySet[CompletionAttempt]") -> Resumed:
    done = Resumed()
    for attempt in list(attempts):
        done.attempts += 1
        _resume(attempt)
    return done


@contextmanager
def _isolated(cart_id: str) -> Iterator[None]:
    """Log a failure, which the next run meets again."""
    try:
        yield
    except Exception:
        log.exception("completion_failed", cart=cart_id[:12])


@transaction.atomic(durable=True)
def _refund(cart: PaidCart) -> bool:
    """Refund the money of a cart that nobody completes; whether there was any.

    Why: docs/decisions/orders.md#money-without-an-order-is-refunded.
    """
    locked = lock_payable(cart.cart_id)
    if locked.is_completed or locked.is_closed:
        return False
    return owe_refund(cart.collection_id, NOT_COMPLETED)


def _complete(cart_id: str) -> None:
    try:
        complete(actor=SYSTEM, cart_id=cart_id, is_told=False)
    except DomainError as refusal:
        log.info("cart_not_completed", cart=cart_id[:12], reason=str(refusal))


def _resume(attempt: CompletionAttempt) -> None:
    """Settle the attempt or, if that has failed for too long for whatever reason, end it: it keeps the cart closed."""
    with _isolated(attempt.cart_id):
        try:
            settle(attempt.pk)
        except Exception as failure:
            if attempt.created_at < now() - settings.COMPLETION_PATIENCE:
                retry_on_conflict(partial(_expire, attempt.pk))
            if not isinstance(failure, ProviderUnavailable | Conflict):
                raise


@transaction.atomic(durable=True)
def _expire(attempt_id: str) -> None:
    """Release the claim and cancel the session. If money still comes, its event completes the cart again."""
    attempt = CompletionAttempt.objects.get(pk=attempt_id)
    cart = with_parts(lock_cart(actor=SYSTEM, cart_id=attempt.cart_id))
    attempt.refresh_from_db()
    if attempt.status == AttemptStatus.OPEN:
        release_session(str(attempt.session_id))
        release_attempt(attempt, cart, error=NO_ANSWER)
