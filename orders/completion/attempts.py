"""Attempts to complete a cart whose provider has to be asked: opening one, and its two ends.

Callers hold a transaction and have locked the cart. Why: docs/decisions/orders.md#an-open-attempt-closes-its-cart.
"""

from carts.checkout.closing import close_cart, reopen_cart
from carts.pricing.locked_cart import LockedCart
from giftcards.spending.holds import hold_credit, release_holds
from kit.values.money import major
from kit.values.timestamps import now
from orders.completion.claims import release
from orders.models import CompletionAttempt
from orders.states import AttemptStatus


def open_attempt(cart: LockedCart, *, session_id: str, total: int, idempotency_digest: str | None) -> str:
    """Close the claimed cart and hold its credit, until the provider has answered; returns the attempt's id.

    total: what the session pays, in 1/10,000. Raises the errors of giftcards.spending.holds.hold_credit.
    """
    attempt: CompletionAttempt = CompletionAttempt.objects.create(
        cart_id=cart.id,
        session_id=session_id,
        total=major(total),
        currency_id=cart.row.currency_id,
        idempotency_digest=idempotency_digest,
    )
    hold_credit(attempt_id=attempt.pk, cart=cart)
    close_cart(cart.id)
    return attempt.pk


def end_attempt(attempt: CompletionAttempt, order_id: str) -> None:
    """The attempt has led to the order."""
    attempt.status, attempt.order_id, attempt.ended_at = AttemptStatus.COMPLETED, order_id, now()
    attempt.save()


def release_attempt(attempt: CompletionAttempt, cart: LockedCart, *, error: str) -> None:
    """Release everything that the attempt claimed, and reopen the cart. error: why there is no order."""
    release(cart)
    release_holds(attempt.pk)
    reopen_cart(cart.id)
    attempt.status, attempt.error, attempt.ended_at = AttemptStatus.RELEASED, error, now()
    attempt.save()
