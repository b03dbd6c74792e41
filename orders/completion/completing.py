"""Completing a cart: it becomes an order, once, however often and by however many callers it is completed.

Check, claim and order are one transaction where the money is there, nothing is due, or the provider calls nothing
outside. Otherwise the claim is committed with an attempt, the provider is asked outside of transactions, and a second
transaction makes the order or releases the claim (orders/completion/settling.py).
Why: docs/decisions/orders.md#completion-claims-stock-before-it-pays.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Exists

from carts.checkout.payment import payable
from carts.errors import CartCompleted, CartNotFound, PromotionUsedUp
from carts.models import Cart
from carts.pricing.cart_rows import CartRow
from carts.pricing.locked_cart import LockedCart, lock_cart, with_parts
from giftcards.errors import CreditUnavailable
from kit.database.locking import retry_on_conflict
from kit.domain.actor import Actor
from kit.errors import Conflict, DomainError
from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.text import is_storable
from orders.common.errors import AmountChanging, DraftBeingChanged
from orders.common.open_edit import open_change_of_draft
from orders.completion.attempts import open_attempt
from orders.completion.cart_payment import amount_due, session_of
from orders.completion.changes import seen
from orders.completion.claims import claim
from orders.completion.placing import place, used_promotions
from orders.completion.readiness import check_ready
from orders.completion.refusals import ChangedCart, refreshed, total_changed
from orders.completion.settling import PAYMENT_REFUSED, Completed, Refusal, settle
from orders.models import CompletionAttempt, Order
from orders.states import AttemptStatus
from payments.errors import PaymentProviderRefused
from payments.lifecycle.completion import (
    PaymentProgress,
    SessionState,
    authorize_in_transaction,
    begin_authorization,
    bring_to_amount,
    owe_refund,
    refresh_session,
    session_to_refresh,
)
from shop.errors import ProviderUnavailable


def complete(
    *,
    actor: Actor,
    cart_id: str,
    idempotency_digest: str | None = None,
    is_told: bool = True,
    confirm: Callable[[], None] | None = None,
) -> Completed:
    """Make the cart's order, or return the existing one. A refused payment is no error: see Completed.

    idempotency_digest: of the request's Idempotency-Key. is_told: whether the shopper gets to know of a refusal: if
    not, a cart whose payment no longer suffices stays as the shopper has seen it. confirm: called once the cart is
    locked, before anything is done; what it raises refuses the completion.
    Must not be called inside a transaction (RuntimeError).
    Raises CartNotFound (for another customer's too), CartCompleted, DraftBeingChanged, NoItems, NoEmail,
    NoShippingAddress, NoShippingCountry, NoShippingMethod, ProfilesNotServed, RegionClosed, LinesNotSold,
    LinesWithoutPrice, TotalChanged, PaymentNotInitiated, PaymentSessionRequired, PartlyPaid, LinesOutOfStock,
    PromotionUsedUp, the errors of giftcards.spending.holds, ProviderUnavailable (the provider is asked again, and the
    attempt stays open), Conflict.
    Why: docs/decisions/orders.md#an-existing-order-is-the-answer.
    """
    order_id = _order_of(cart_id, actor)
    if order_id is not None:
        return Completed(order_id)
    _refresh_payment(cart_id, actor)
    begin = partial(_begin, actor, cart_id, idempotency_digest, is_told=is_told, confirm=confirm)
    try:
        outcome = retry_on_conflict(begin)
    except AmountChanging:
        bring_to_amount(cart_id)
        outcome = retry_on_conflict(begin)
    if isinstance(outcome, ChangedCart):
        raise total_changed(outcome, _progress_of(outcome, cart_id))
    if isinstance(outcome, DomainError):
        raise outcome
    return outcome if isinstance(outcome, Completed) else settle(outcome.attempt_id)


class PaymentRefused(Exception):
    """A local provider refuses: everything that was claimed is rolled back."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class _Pending:
    """The provider has to be asked."""

    attempt_id: str


def _order_of(cart_id: str, actor: Actor) -> str | None:
    """The id of the cart's order. Raises CartNotFound if the actor may not see it."""
    if not is_storable(cart_id):
        raise CartNotFound(cart_id)
    order_id: str | None = next((order_id for (order_id,) in _ORDERS.read([cart_id])), None)
    if order_id is None or actor.may("orders.view_order"):
        return order_id
    is_draft = Exists(Cart.objects.filter(pk=cart_id, is_draft=True))
    if not Order.objects.visible_to(actor).filter(~is_draft, pk=order_id).exists():
        raise CartNotFound(cart_id)
    return order_id


def _refresh_payment(cart_id: str, actor: Actor) -> None:
    """Record how the payment stands at its provider, before the cart is locked. Raises what `complete` raises.

    One statement where nobody has to be asked; whether the actor may see the cart is checked with its lock then.
    """
    session = session_to_refresh(cart_id)
    if session is not None:
        if not actor.may("carts.view_cart"):
            payable(actor, cart_id)
        refresh_session(session, cart_id=cart_id)


def _progress_of(changed: ChangedCart, cart_id: str) -> PaymentProgress:
    """How the payment stands once its provider has been asked for the new amount. If it is silent, the worker asks."""
    if changed.progress in (PaymentProgress.TO_UPDATE, PaymentProgress.TO_AUTHORIZE):
        with suppress(ProviderUnavailable, Conflict):
            return changed.progress if bring_to_amount(cart_id) else PaymentProgress.NO_SESSION
    return changed.progress


@transaction.atomic(durable=True)
def _begin(
    actor: Actor,
    cart_id: str,
    idempotency_digest: str | None,
    *,
    is_told: bool,
    confirm: Callable[[], None] | None,
) -> Completed | _Pending | ChangedCart | DomainError:
    """Everything up to the order or the attempt. A refusal is returned, since the refreshed cart is kept."""
    row = lock_cart(actor=actor, cart_id=cart_id)
    if row.completed_at is not None:  # by a concurrent call, or without an order, as old data may have it
        order_id = _order_of(cart_id, actor)
        return CartCompleted(cart_id) if order_id is None else Completed(order_id)
    if row.closed_at is not None:
        return _Pending(CompletionAttempt.objects.get(cart_id=cart_id, status=AttemptStatus.OPEN).pk)
    _confirm(row, confirm)
    cart = with_parts(row)
    before = seen(cart)
    if changed := refreshed(cart, before, is_told=is_told):
        return changed
    session: SessionState | None = None
    try:
        with transaction.atomic():
            check_ready(cart)
            session = session_of(cart)
            return _claimed(cart, session, idempotency_digest)
    except Conflict:
        raise
    except PaymentRefused as error:
        return Completed(None, error.refusal)
    except DomainError as refusal:
        is_taken = isinstance(refusal, PromotionUsedUp | CreditUnavailable)  # meanwhile, by another cart
        if is_taken and (changed := refreshed(cart, before, is_told=is_told)):
            return changed
        if session is not None and session.progress is PaymentProgress.SETTLED and session.collection_id is not None:
            owe_refund(session.collection_id, refusal.message)
        return refusal


def _confirm(row: CartRow, confirm: Callable[[], None] | None) -> None:
    if row.is_draft and open_change_of_draft(row.id) is not None:
        raise DraftBeingChanged(row.id)
    if confirm is not None:
        confirm()


def _claimed(cart: LockedCart, state: SessionState, idempotency_digest: str | None) -> Completed | _Pending:
    promotions = used_promotions(cart)
    claim(cart, promotions=promotions)
    if state.progress is PaymentProgress.TO_AUTHORIZE:
        if not state.is_local:
            return _attempted(cart, str(state.session_id), idempotency_digest)
        try:
            state = authorize_in_transaction(state)
        except PaymentProviderRefused as error:
            raise PaymentRefused(Refusal(PAYMENT_REFUSED, error.message)) from error
    return Completed(place(cart, total=amount_due(cart), promotions=promotions, state=state))


def _attempted(cart: LockedCart, session_id: str, idempotency_digest: str | None) -> _Pending:
    due = amount_due(cart)
    attempt_id = open_attempt(cart, session_id=session_id, total=due, idempotency_digest=idempotency_digest)
    begin_authorization(session_id)
    return _Pending(attempt_id)


_ORDERS = KeyedRows(Order.objects.all, key="cart_id", columns=("id",))
