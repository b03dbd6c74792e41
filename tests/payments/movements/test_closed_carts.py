"""While an attempt to complete a cart is under way, its payments refuse changes with 409."""

from collections.abc import Callable
from typing import Any

import pytest

from carts.checkout.closing import close_cart, complete_cart, reopen_cart
from carts.details.ownership import take_over
from carts.models import Cart
from kit.domain.actor import SYSTEM, Actor
from kit.errors import Conflict
from payments.lifecycle import cancellation
from payments.models import Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing, refunding
from payments.sessions import authorization
from tests.contract.callers import Caller
from tests.factories import payments as make
from tests.payments.calls import PATH
from tests.payments.lifecycle.test_completion import report
from tests.payments.paid_carts import collection_of, session_of
from tests.payments.providers import FAKE, FakeProvider

pytestmark = pytest.mark.django_db


@pytest.fixture
def payment(cart: Cart, fake: FakeProvider) -> Payment:
    """Authorized, and partly captured, of a cart that an attempt has closed."""
    session = make.session(make.collection(cart), provider_id=FAKE)
    report(session, status="authorized", captured="30")
    close_cart(cart.pk)
    fake.calls.clear()
    return Payment.objects.get()


@pytest.fixture
def session(cart: Cart, fake: FakeProvider) -> PaymentSession:
    """Pending, of such a cart."""
    started = make.session(make.collection(cart), provider_id=FAKE)
    close_cart(cart.pk)
    fake.calls.clear()
    return started


CHANGES: dict[str, Callable[[Payment], Any]] = {
    "capture": lambda payment: capturing.capture(actor=SYSTEM, payment_id=payment.pk),
    "refund": lambda payment: refunding.refund(actor=SYSTEM, payment_id=payment.pk),
}


@pytest.mark.parametrize("change", CHANGES)
def test_staff_move_no_money_meanwhile(payment: Payment, fake: FakeProvider, change: str) -> None:
    with pytest.raises(Conflict):
        CHANGES[change](payment)
    assert (fake.asked, Intent.objects.filter(act=change).count()) == ([], 0)
    reopen_cart(payment.collection.cart_id)
    CHANGES[change](payment)
    assert fake.asked == [change]


def test_staff_authorize_and_cancel_nothing_meanwhile(session: PaymentSession, fake: FakeProvider) -> None:
    with pytest.raises(Conflict):
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
    with pytest.raises(Conflict):
        cancellation.cancel(actor=SYSTEM, collection_id=session.collection_id)
    assert (fake.asked, session_of(session.collection.cart).status) == ([], "pending")


def test_no_session_is_started_meanwhile(session: PaymentSession, store: Caller, fake: FakeProvider) -> None:
    response = store.post(f"{PATH}/{session.collection_id}/payment-sessions", {"provider_id": FAKE})
    assert (response.status_code, response.json()["type"]) == (409, "QueryRunnerAlreadyReleasedError")
    assert fake.asked == []


def test_a_collection_is_opened_for_no_closed_cart(cart: Cart, store: Caller) -> None:
    close_cart(cart.pk)
    assert store.post(PATH, {"cart_id": cart.pk}).status_code == 409
    assert not PaymentCollection.objects.exists()
    reopen_cart(cart.pk)
    assert store.post(PATH, {"cart_id": cart.pk}).status_code == 200


def test_the_cart_is_taken_over_by_nobody(session: PaymentSession) -> None:
    cart = session.collection.cart
    with pytest.raises(Conflict):
        take_over(actor=Actor("customer", "cus_1", (cart.sales_channel_id,)), cart_id=cart.pk)


def test_what_a_provider_reports_is_recorded_and_cancels_nothing(cart: Cart, fake: FakeProvider) -> None:
    """Money of an older session comes while the attempt counts on the live one."""
    old = make.session(make.collection(cart), provider_id=FAKE)
    session = make.session(collection_of(cart), provider_id=FAKE, data={"another": 1})
    close_cart(cart.pk)
    report(old, status="captured", authorized="30", captured="30")
    assert (collection_of(cart).captured_amount, session_of_id(session)) == (30, "pending")
    reopen_cart(cart.pk)
    report(old, 2, status="captured", authorized="31", captured="31")
    assert session_of_id(session) == "canceled"


def session_of_id(session: PaymentSession) -> str:
    return PaymentSession.objects.get(pk=session.pk).status


def test_a_completed_cart_starts_no_session(cart: Cart, store: Caller) -> None:
    collection = make.collection(cart)
    complete_cart(cart.pk)
    response = store.post(f"{PATH}/{collection.pk}/payment-sessions", {"provider_id": FAKE})
    assert (response.status_code, response.json()) == (
        400,
        {"type": "invalid_data", "message": f"Cart {cart.pk} is already completed."},
    )


def test_a_completed_carts_collection_shows_nothing_of_its_payments_context(
    cart: Cart, store: Caller, fake: FakeProvider
) -> None:
    """Neither the session's context nor what its provider keeps private."""
    session = make.session(make.collection(cart), provider_id=FAKE)
    report(session, status="authorized", data={"private": "hidden", "client_secret": "shown"})
    PaymentSession.objects.update(context={"customer": {"id": "cus_1"}})
    complete_cart(cart.pk)
    (shown,) = store.post(PATH, {"cart_id": cart.pk}).json()["payment_collection"]["payment_sessions"]
    assert (shown["context"], shown["data"]) == ({}, {"client_secret": "shown"})
    bare = make.payable_cart(provider_id=FAKE)
    complete_cart(bare.pk)
    response = store.post(PATH, {"cart_id": bare.pk})
    assert (response.status_code, response.json()["message"]) == (400, f"Cart {bare.pk} is already completed.")
