"""However late money comes, and whatever is asked meanwhile: no cart is paid twice, and no money is out of sight."""

from decimal import Decimal

import pytest

from carts.details import details
from carts.models import Cart
from catalog.models import ProductVariant
from kit.domain.actor import SYSTEM
from payments.admin.needs_attention import needing_attention
from payments.errors import (
    AmountChanged,
    BeingCaptured,
    NothingLeftToPay,
    NothingToCapture,
    PaymentProviderRefused,
    ProviderNotEnabled,
)
from payments.lifecycle import cancellation
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession
from payments.movements import capturing
from payments.providers.base import Declined, ProviderReport
from payments.requests import intents
from payments.sessions import authorization, starting
from payments.states import Act, SessionStatus
from shop.errors import ProviderUnavailable
from shop.models import Currency
from tests.factories import carts as make_carts
from tests.factories import payments as make
from tests.factories.carts import shopper
from tests.factories.pricing import price
from tests.payments.movements.test_verbs_events import tell
from tests.payments.providers import FAKE, OTHER, FakeProvider
from tests.payments.requests.test_verbs_following import change_quantity, session_of

MARK = "m" * 64


@pytest.fixture
def cart(fake: FakeProvider) -> Cart:
    """Over 50 dollars, with a session at a provider that answers."""
    made = make.payable_cart(provider_id=FAKE)
    made.region.payment_providers.add(OTHER)
    make.session(make.collection(made), provider_id=FAKE)
    return made


def start(cart: Cart, provider_id: str = FAKE, **given: object) -> str:
    collection = PaymentCollection.objects.get(cart=cart)
    who = shopper(customer_id=cart.customer_id)
    return starting.start_session(actor=who, collection_id=collection.pk, provider_id=provider_id, **given)


def promised(cart: Cart) -> Payment:
    session = PaymentSession.objects.not_deleted().get(collection__cart=cart, status="pending")
    authorization.authorize(actor=SYSTEM, session_id=session.pk)
    return Payment.objects.get(session=session)


def taking(fake: FakeProvider, payment: Payment, amount: int | None = None) -> Intent:
    """A capture that its provider has not answered."""
    fake.says(Act.CAPTURE, TimeoutError())
    with pytest.raises(ProviderUnavailable):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=amount and Decimal(amount))
    return Intent.objects.get(act=Act.CAPTURE)


def test_money_for_a_session_that_was_canceled_leaves_the_next_one_what_is_left(cart: Cart) -> None:
    first = session_of(cart)
    change_quantity(cart, 2)
    second = PaymentSession.objects.get(pk=start(cart))
    tell("evt_1", first, status="captured", captured=50)
    second.refresh_from_db()
    assert second.status == "canceled"
    third = PaymentSession.objects.get(pk=start(cart))
    assert third.amount == 50
    capturing.capture(actor=SYSTEM, payment_id=promised(cart).pk)
    assert PaymentCollection.objects.get().captured_amount == PaymentCollection.objects.get().amount == 100


def test_an_answer_that_brings_money_late_does_the_same(cart: Cart, fake: FakeProvider) -> None:
    fake.says(Act.START, TimeoutError())
    change_quantity(cart, 2)
    with pytest.raises(ProviderUnavailable):
        start(cart)
    slow = Intent.objects.get(act=Act.START, done_at=None)
    change_quantity(cart, 3)
    other = start(cart, OTHER)
    fake.says(Act.START, ProviderReport(SessionStatus.CAPTURED))
    intents.carry_out(slow.pk)
    assert PaymentSession.objects.get(pk=other).status == "canceled"


@pytest.mark.parametrize("amount", [None, 30])
def test_while_money_is_being_taken_nothing_else_is_begun(cart: Cart, fake: FakeProvider, amount: int | None) -> None:
    intent = taking(fake, promised(cart), amount)
    collection = PaymentCollection.objects.get()
    with pytest.raises(BeingCaptured):
        start(cart)
    with pytest.raises(BeingCaptured):
        cancellation.cancel(actor=SYSTEM, collection_id=collection.pk)
    change_quantity(cart, 2)
    assert session_of(cart).amount == 50
    intents.carry_out(intent.pk)
    collection.refresh_from_db()
    assert (collection.captured_amount, collection.status) == (amount or 50, "partially_captured")


def test_no_more_is_taken_than_is_left_to_pay(cart: Cart) -> None:
    payment = promised(cart)
    change_quantity(cart, 2)  # gives the promise up, which its provider has not heard of
    PaymentSession.objects.filter(pk=payment.session_id).update(status="authorized", deleted_at=None)
    PaymentCollection.objects.update(amount=20)
    with pytest.raises(NothingToCapture, match=r"^At most 20.00 usd of the payment can be captured$"):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(21))


def test_what_is_paid_in_full_is_not_paid_again(cart: Cart) -> None:
    capturing.capture(actor=SYSTEM, payment_id=promised(cart).pk)
    with pytest.raises(NothingLeftToPay):
        start(cart)


def test_while_money_is_being_taken_the_currency_stays(cart: Cart, fake: FakeProvider) -> None:
    taking(fake, promised(cart))
    Currency.objects.get_or_create(code="eur")
    price(ProductVariant.objects.get(), 40, "eur")
    elsewhere = make_carts.selling_region(countries=["de"], currency_id="eur")
    with pytest.raises(BeingCaptured):
        details.change(actor=shopper(), cart_id=cart.pk, region_id=elsewhere.pk)


def test_staff_look_at_money_that_is_too_much(cart: Cart) -> None:
    def looked_at() -> int:
        return PaymentCollection.objects.filter(needing_attention()).count()

    capturing.capture(actor=SYSTEM, payment_id=promised(cart).pk)
    assert looked_at() == 0
    PaymentCollection.objects.update(amount=49)
    assert looked_at() == 1
    PaymentCollection.objects.update(amount=50)
    assert looked_at() == 0


def test_staff_look_at_money_that_arrived_after_the_currency_has_changed(cart: Cart, fake: FakeProvider) -> None:
    session = session_of(cart)
    Currency.objects.get_or_create(code="eur")
    price(ProductVariant.objects.get(), 40, "eur")
    elsewhere = make_carts.selling_region(countries=["de"], currency_id="eur")
    details.change(actor=shopper(), cart_id=cart.pk, region_id=elsewhere.pk)
    assert PaymentCollection.objects.filter(needing_attention()).count() == 0
    tell("evt_1", session, status="captured", captured=50)
    assert PaymentCollection.objects.filter(needing_attention()).count() == 1
    tell("evt_2", session, status="captured", captured=50, refunded=50)
    assert PaymentCollection.objects.filter(needing_attention()).count() == 0


def test_the_same_key_with_another_amount_moves_nothing(cart: Cart) -> None:
    payment = promised(cart)
    for _ in range(2):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20), idempotency_digest=MARK)
    with pytest.raises(AmountChanged):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(30), idempotency_digest=MARK)
    assert Capture.objects.get().amount == 20


def test_a_key_whose_session_was_canceled_starts_again(cart: Cart, fake: FakeProvider) -> None:
    fake.says(Act.START, TimeoutError())
    with pytest.raises(ProviderUnavailable):
        start(cart, OTHER, idempotency_digest=MARK)
    change_quantity(cart, 2)
    session = PaymentSession.objects.get(pk=start(cart, OTHER, idempotency_digest=MARK))
    assert (session.status, session.amount) == ("pending", 100)


def test_a_key_that_comes_late_leaves_what_was_chosen_since(cart: Cart) -> None:
    start(cart, OTHER, idempotency_digest=MARK)
    chosen = start(cart)
    assert start(cart, OTHER, idempotency_digest=MARK) == chosen
    assert PaymentSession.objects.not_deleted().get().pk == chosen


def test_one_answer_that_cannot_be_kept_stops_no_other(cart: Cart, fake: FakeProvider) -> None:
    other = make.session(make.collection(make.payable_cart(provider_id=FAKE)), provider_id=FAKE)
    fake.says(
        Act.AUTHORIZE, TimeoutError(), TimeoutError(), ProviderReport(SessionStatus.AUTHORIZED, {"sum": Decimal(1)})
    )
    for session in (session_of(cart), other):
        with pytest.raises(ProviderUnavailable):
            authorization.authorize(actor=SYSTEM, session_id=session.pk)
    asked = Intent.objects.filter(act=Act.AUTHORIZE)
    asked.update(claimed_until=None, created_at="2026-01-01T00:00:00Z")
    assert len(intents.resume_all()) == 2
    kept, stuck = asked.order_by("-result")
    assert (kept.result, stuck.result) == ("done", "")
    assert stuck.error.startswith("The response could not be stored: TypeError")


def test_a_cancellation_that_is_refused_is_asked_again_until_the_money_is_free(cart: Cart, fake: FakeProvider) -> None:
    payment = promised(cart)
    change_quantity(cart, 2)
    fake.says(Act.CANCEL, Declined("It is being processed"))
    intent = Intent.objects.get(act=Act.CANCEL)
    with pytest.raises(PaymentProviderRefused):
        intents.carry_out(intent.pk)
    intent.refresh_from_db()
    assert (intent.done_at, intent.error) == (None, "It is being processed")
    intents.carry_out(intent.pk)
    payment.refresh_from_db()
    assert payment.canceled_at is not None


def test_who_takes_money_does_not_wait_for_the_worker_to_ask_what_comes_first(cart: Cart, fake: FakeProvider) -> None:
    fake.says(Act.AUTHORIZE, TimeoutError())
    session = session_of(cart)
    with pytest.raises(ProviderUnavailable):
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
    tell("evt_1", session, status="authorized")
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
    assert fake.asked[-2:] == [Act.AUTHORIZE, Act.CAPTURE]


def test_a_provider_that_settings_do_not_name_cannot_be_chosen(cart: Cart) -> None:
    cart.region.payment_providers.create(id="pp_gone")
    with pytest.raises(ProviderNotEnabled):
        start(cart, "pp_gone")
