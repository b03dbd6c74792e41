"""Payments through Stripe from the verbs down to the database, also where answers are lost and events come first."""

from decimal import Decimal
from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from payments.errors import PaymentProviderRefused
from payments.lifecycle import cancellation
from payments.models import Capture, Intent, Payment, PaymentSession, Refund
from payments.movements import capturing, refunding
from payments.requests import intents
from payments.requests.events import receive_event
from payments.sessions import authorization
from shop.errors import ProviderUnavailable
from tests.factories.payments import collection as new_collection
from tests.factories.payments import session as new_session
from tests.payments.stripe.conftest import PROVIDER_ID
from tests.payments.stripe.fake import Fake, signed

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def take_all(fake: Fake) -> None:
    for event in fake.events():
        body, signature = signed(event)
        receive_event(provider_id=PROVIDER_ID, body=body, headers={"stripe-signature": signature})


def ask_again() -> None:
    """What the background worker does once nobody is busy with it any more."""
    Intent.objects.filter(done_at=None).update(claimed_until=None)
    for intent in Intent.objects.filter(done_at=None).order_by("pk"):
        intents.carry_out(intent.pk)


@pytest.fixture
def payment(fake: Fake, session: PaymentSession) -> Payment:
    """Promised, and nothing of it taken."""
    fake.pay(session.data["id"])
    authorization.authorize(actor=SYSTEM, session_id=session.pk)
    return Payment.objects.get(session=session)


def sums(session: PaymentSession) -> tuple[str, str, Decimal, Decimal, Decimal]:
    """Statuses of session and collection; what the collection has been promised, paid and given back."""
    now = PaymentSession.objects.select_related("collection").get(pk=session.pk)
    of = now.collection
    return now.status, of.status, of.authorized_amount, of.captured_amount, of.refunded_amount


def test_a_session_names_itself_to_stripe(fake: Fake, session: PaymentSession) -> None:
    (request,) = fake.requests("/payment_intents")
    assert request["key"] == Intent.objects.get(session=session).pk
    assert request["form"]["metadata"] == {
        "session_id": session.pk,
        "cart_id": session.collection.cart_id,
        "amount": "50",
    }
    assert (session.status, session.data["client_secret"]) == ("pending", "pi_1_secret_hush")


def test_money_is_promised_taken_and_given_back(fake: Fake, session: PaymentSession, payment: Payment) -> None:
    assert sums(session) == ("authorized", "authorized", 50, 0, 0)
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    assert sums(session) == ("captured", "completed", 50, 50, 0)
    refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal("20.50"), note="Torn")
    assert sums(session) == ("captured", "completed", 50, 50, Decimal("20.50"))
    before = list(Refund.objects.values_list("amount", "note"))
    take_all(fake)
    assert sums(session) == ("captured", "completed", 50, 50, Decimal("20.50"))
    assert before == list(Refund.objects.values_list("amount", "note")) == [(Decimal("20.50"), "Torn")]


def test_a_start_whose_answer_is_lost_is_one_payment_at_stripe(fake: Fake, session: PaymentSession) -> None:
    fake.fails("/payment_intents", when="after")
    opened = new_collection(provider_id=PROVIDER_ID)
    with pytest.raises(ProviderUnavailable):
        new_session(opened, provider_id=PROVIDER_ID)
    ask_again()
    started = PaymentSession.objects.get(collection=opened)
    assert (started.status, started.data["id"]) == ("pending", "pi_2")
    assert [request["form"]["metadata"]["session_id"] for request in fake.requests("/payment_intents")] == [
        session.pk,
        started.pk,
        started.pk,
    ]


def test_a_start_that_stripe_declines_says_why(fake: Fake, session: PaymentSession) -> None:
    with pytest.raises(PaymentProviderRefused, match=r"refused: Amount must convert to at least 50 cents\."):
        new_session(amount="0.49", provider_id=PROVIDER_ID)
    assert PaymentSession.objects.exclude(pk=session.pk).get().status == "error"


def test_a_capture_that_stripe_tells_of_before_its_answer_is_one(
    fake: Fake, session: PaymentSession, payment: Payment
) -> None:
    fake.fails("/capture", when="after")
    with pytest.raises(ProviderUnavailable):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(30))
    take_all(fake)
    ask_again()
    assert sums(session) == ("captured", "partially_captured", 30, 30, 0)
    capture = Capture.objects.get()
    assert (capture.amount, capture.intent) == (30, Intent.objects.get(act="capture"))


def test_a_refund_that_stripe_tells_of_before_its_answer_is_one(
    fake: Fake, session: PaymentSession, payment: Payment
) -> None:
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    fake.fails("/refunds", when="never")
    fake.fails("/refunds", when="after")
    with pytest.raises(ProviderUnavailable):
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
    take_all(fake)
    fake.forget_keys()
    ask_again()
    assert sums(session) == ("captured", "completed", 50, 50, 20)
    refund = Refund.objects.get()
    assert (refund.amount, refund.intent) == (20, Intent.objects.get(act="refund"))
    assert len(fake.refunds()) == 1


def test_a_refund_by_hand_of_as_much_as_is_being_asked_for_is_another_one(
    fake: Fake, session: PaymentSession, payment: Payment
) -> None:
    capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    fake.fails("/refunds", when="before")
    with pytest.raises(ProviderUnavailable):
        refunding.refund(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
    fake.by_hand("refund", form={"payment_intent": session.data["id"], "amount": 2000})
    take_all(fake)
    ask_again()
    assert sums(session) == ("captured", "completed", 50, 50, 40)
    assert list(Refund.objects.values_list("amount", flat=True)) == [20, 20]


def test_a_session_that_is_canceled_is_canceled_at_stripe(
    fake: Fake, session: PaymentSession, payment: Payment
) -> None:
    cancellation.cancel(actor=SYSTEM, collection_id=payment.collection_id)
    ask_again()
    assert fake.events()[-1]["type"] == "payment_intent.canceled"
    take_all(fake)
    assert sums(session) == ("canceled", "canceled", 0, 0, 0)


def test_money_that_came_before_stripe_heard_of_the_cancellation_is_not_forgotten(
    fake: Fake, session: PaymentSession, payment: Payment
) -> None:
    cancellation.cancel(actor=SYSTEM, collection_id=payment.collection_id)
    fake.by_hand("capture", intent_id=session.data["id"], form={})
    ask_again()
    assert sums(session) == ("captured", "completed", 50, 50, 0)


def test_a_promise_that_stripe_has_let_go_cannot_be_captured(
    fake: Fake, session: PaymentSession, payment: Payment
) -> None:
    fake.by_hand("cancel", intent_id=session.data["id"], form={})
    with pytest.raises(PaymentProviderRefused, match="has a status of canceled"):
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)
    take_all(fake)
    assert sums(session) == ("canceled", "not_paid", 0, 0, 0)


def test_what_is_kept_of_a_failure_tells_no_secret(fake: Fake, session: PaymentSession, settings: Any) -> None:
    fake.fails("/payment_intents", when="after", status=200, text='{"client_secret": "pi_2_secret_hush')
    with pytest.raises(ProviderUnavailable):
        new_session(provider_id=PROVIDER_ID)
    assert Intent.objects.get(done_at=None).error == "NoAnswer: APIError 200"


def test_an_event_of_another_providers_session_changes_nothing(fake: Fake, session: PaymentSession) -> None:
    other = new_session(provider_id="pp_system_default")
    fake.pay(session.data["id"])
    (event,) = fake.events()
    event["data"]["object"]["metadata"]["session_id"] = other.pk
    body, signature = signed(event)
    receive_event(provider_id=PROVIDER_ID, body=body, headers={"stripe-signature": signature})
    assert sums(other) == ("pending", "awaiting", 0, 0, 0)
    assert sums(session) == ("pending", "awaiting", 0, 0, 0)
