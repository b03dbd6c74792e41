"""Settling an attempt to complete a cart, by what its payment provider says. Repeating it changes nothing.

The request that opened the attempt settles it; where that died, a repeated request, the provider's event or
`resume_completions` does.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from django.db import transaction

from carts.pricing.locked_cart import lock_cart, with_parts
from kit.database.locking import retry_on_conflict
from kit.domain.actor import SYSTEM
from kit.values.money import stored
from orders.completion.attempts import end_attempt, release_attempt
from orders.completion.placing import place, used_promotions
from orders.models import CompletionAttempt
from orders.states import AttemptStatus
from payments.errors import PaymentProviderRefused
from payments.lifecycle.completion import AuthorizationOutcome, Outcome, authorization_outcome
from payments.models import Intent
from payments.requests.intents import carry_out
from payments.states import Act
from shop.errors import ProviderUnavailable

PAYMENT_REFUSED = "payment_authorization_error"
PAYMENT_REQUIRES_MORE = "payment_requires_more_error"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a payment did not pass. type: PAYMENT_REFUSED or PAYMENT_REQUIRES_MORE, as in the interface's answers."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Completed:
    """order_id: of the cart's order. None if the payment was refused: the cart is open again, all claims released."""

    order_id: str | None
    refusal: Refusal | None = None


def settle(attempt_id: str) -> Completed:
    """Ask the provider, and make the order or release the claims.

    Must not be called inside a transaction (RuntimeError). Raises ProviderUnavailable while the outcome is unknown
    (the attempt stays open), Conflict while another process asks.
    """
    attempt = CompletionAttempt.objects.get(pk=attempt_id)
    if attempt.status == AttemptStatus.OPEN:
        _ask_provider(str(attempt.session_id))
    return retry_on_conflict(partial(_end, attempt_id))


def _ask_provider(session_id: str) -> None:
    """Carry out the open request to authorize the session. Raises ProviderUnavailable, Conflict."""
    asked = Intent.objects.filter(session_id=session_id, act=Act.AUTHORIZE, done_at=None)
    for intent_id in asked.values_list("pk", flat=True):
        with suppress(PaymentProviderRefused):  # the outcome is read below
            carry_out(intent_id)


@transaction.atomic(durable=True)
def _end(attempt_id: str) -> Completed:
    attempt = CompletionAttempt.objects.get(pk=attempt_id)
    row = lock_cart(actor=SYSTEM, cart_id=attempt.cart_id)
    attempt.refresh_from_db()
    if attempt.status == AttemptStatus.COMPLETED:
        return Completed(attempt.order_id)
    outcome = authorization_outcome(str(attempt.session_id))
    if attempt.status == AttemptStatus.RELEASED:
        return Completed(None, _refusal(outcome))
    if outcome.outcome is Outcome.UNKNOWN:
        raise ProviderUnavailable("payment provider", is_retried=True)
    cart = with_parts(row)
    if outcome.outcome is not Outcome.SETTLED:
        refusal = _refusal(outcome)
        release_attempt(attempt, cart, error=refusal.message)
        return Completed(None, refusal)
    order_id = place(cart, total=stored(attempt.total), promotions=used_promotions(cart), attempt_id=attempt.pk)
    end_attempt(attempt, order_id)
    return Completed(order_id)


def _refusal(outcome: AuthorizationOutcome) -> Refusal:
    if outcome.outcome is Outcome.REQUIRES_MORE:
        return Refusal(PAYMENT_REQUIRES_MORE, "More information is required for payment")
    return Refusal(PAYMENT_REFUSED, outcome.reason or "Payment authorization failed")
