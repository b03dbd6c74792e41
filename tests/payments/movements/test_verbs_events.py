"""What providers tell by themselves: taken once, in any order, and never at the price of money that has moved."""

from decimal import Decimal
from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from payments.errors import InvalidSignature, ProviderNotFound
from payments.models import Capture, Intent, Payment, PaymentCollection, PaymentSession, ProviderEvent, Refund
from payments.movements import capturing, refunding
from payments.providers.base import Action
from payments.requests import events, intents
from payments.sessions import authorization
from tests.factories import payments as make
from tests.factories.actors import staff_actor
from tests.payments.providers import FAKE, OTHER, SIGNED, FakeProvider, event

STAFF = staff_actor("payments.add_capture", "payments.add_refund")


def tell(id: str, session: PaymentSession, action: Action = Action.NOT_SUPPORTED, **report: Any) -> None:
    events.receive_event(provider_id=FAKE, body=event(id, session.pk, action, **report), headers=SIGNED)


def sums(session: PaymentSession) -> tuple[str, list[int]]:
    """The session's status, and what its payment and its collection know: authorized, captured, refunded."""
    names = ("authorized_amount", "captured_amount", "refunded_amount")
    found = PaymentSession.objects.get(pk=session.pk)
    payment = [int(getattr(found.payment, name)) for name in names]
    assert payment == [int(getattr(found.collection, name)) for name in names]
    assert sum(Capture.objects.filter(payment=found.payment).values_list("amount", flat=True)) == payment[1]
    assert sum(Refund.objects.filter(payment=found.payment).values_list("amount", flat=True)) == payment[2]
    return found.status, payment


@pytest.fixture
def session(fake: FakeProvider) -> PaymentSession:
    """One over 50 dollars that its provider has prepared."""
    return make.session(provider_id=FAKE)


def test_an_event_is_taken_once(session: PaymentSession) -> None:
    for _ in range(3):
        tell("evt_1", session, Action.CAPTURED, status="authorized", captured=20)
    assert sums(session) == ("authorized", [50, 20, 0])
    kept = ProviderEvent.objects.get()
    assert (kept.provider_id, kept.event_id, kept.action, kept.session_id) == (FAKE, "evt_1", "captured", session.pk)
    capture = Capture.objects.get()
    assert (capture.amount, capture.created_by, capture.intent_id) == (20, None, None)


def test_an_event_that_comes_again_is_no_word_of_today(session: PaymentSession) -> None:
    reported = {"evt_1": "requires_more", "evt_2": "pending_authorization"}
    for name in ("evt_1", "evt_2", "evt_1"):
        tell(name, session, status=reported[name])
    assert PaymentSession.objects.get().status == "pending_authorization"


def test_totals_are_not_added_twice_by_events_of_different_names(session: PaymentSession) -> None:
    for number in range(3):
        tell(f"evt_{number}", session, status="captured", captured=50, refunded=10)
    assert sums(session) == ("captured", [50, 50, 10])
    assert (Capture.objects.count(), Refund.objects.count(), ProviderEvent.objects.count()) == (1, 1, 3)


def test_each_total_adds_what_is_new_of_it(session: PaymentSession) -> None:
    for number, captured in enumerate((10, 30, 30, 50)):
        tell(f"evt_{number}", session, status="authorized", captured=captured)
    assert sums(session) == ("captured", [50, 50, 0])
    assert list(Capture.objects.order_by("pk").values_list("amount", flat=True)) == [10, 20, 20]


def test_a_refund_that_is_reported_before_its_capture(session: PaymentSession) -> None:
    tell("evt_2", session, Action.REFUNDED, status="captured", captured=50, refunded=50)
    tell("evt_1", session, Action.CAPTURED, status="captured", captured=50)
    assert sums(session) == ("captured", [50, 50, 50])


def test_money_that_went_back_had_come(session: PaymentSession) -> None:
    tell("evt_1", session, Action.REFUNDED, status="authorized", refunded=15)
    assert sums(session) == ("authorized", [50, 15, 15])


@pytest.mark.parametrize(
    "late", [{"authorized": 20, "captured": 0}, {"authorized": 20, "captured": 20}, {"captured": 10}]
)
@pytest.mark.parametrize("status", ["authorized", "captured", "canceled", "pending"])
def test_a_late_word_takes_nothing_back_that_was_captured(
    session: PaymentSession, status: str, late: dict[str, Any]
) -> None:
    tell("evt_1", session, status="authorized", captured=30)
    tell("evt_2", session, status=status, **late)
    _, (authorized, captured, refunded) = sums(session)
    assert (authorized >= captured, captured, refunded) == (True, 30, 0)


def test_more_may_be_taken_than_was_promised(session: PaymentSession) -> None:
    """Whatever a provider says of money that has moved is true."""
    tell("evt_1", session, status="authorized", authorized=30)
    tell("evt_2", session, status="captured", captured=40)
    assert sums(session) == ("captured", [40, 40, 0])


def test_what_is_left_of_a_promise_may_be_released(session: PaymentSession) -> None:
    tell("evt_1", session, status="authorized")
    tell("evt_2", session, status="captured", authorized=20, captured=20)
    assert sums(session) == ("captured", [20, 20, 0])
    again = make.session(session.collection, provider_id=FAKE)
    assert again.amount == 30


def test_a_promise_that_ends_after_a_part_of_it_was_taken(session: PaymentSession) -> None:
    """Nothing more can come by it, so that the rest can be paid again."""
    tell("evt_1", session, status="authorized", captured=20)
    tell("evt_2", session, status="canceled")
    assert sums(session) == ("captured", [20, 20, 0])
    assert capturing.capturable_amount(Payment.objects.get()) == 0
    assert make.session(session.collection, provider_id=FAKE).amount == 30


def test_money_that_came_for_a_session_that_was_canceled_is_recorded(session: PaymentSession) -> None:
    new = make.session(session.collection, provider_id=another_for(session))
    tell("evt_1", session, Action.CAPTURED, status="captured", captured=50)
    found = PaymentSession.objects.get(pk=session.pk)
    assert (found.status, found.deleted_at) == ("captured", None)
    collection = PaymentCollection.objects.get()
    assert (collection.status, collection.captured_amount, collection.authorized_amount) == ("completed", 50, 50)
    assert PaymentSession.objects.get(pk=new.pk).status == "canceled"  # nothing is left to pay


def another_for(session: PaymentSession) -> str:
    session.collection.cart.region.payment_providers.add(OTHER)
    return OTHER


def test_a_part_that_came_for_a_session_that_was_canceled(session: PaymentSession) -> None:
    make.session(session.collection, provider_id=another_for(session))
    tell("evt_1", session, Action.CAPTURED, status="authorized", captured=20)
    collection = PaymentCollection.objects.get()
    assert (collection.status, collection.captured_amount, collection.authorized_amount) == (
        "partially_captured",
        20,
        20,
    )
    assert capturing.capturable_amount(Payment.objects.get()) == 0


def test_a_promise_for_a_session_that_was_canceled_is_none(session: PaymentSession) -> None:
    make.session(session.collection, provider_id=another_for(session))
    tell("evt_1", session, Action.AUTHORIZED, status="authorized")
    assert PaymentSession.objects.get(pk=session.pk).status == "canceled"
    assert not Payment.objects.exists()


class TestEventsAheadOfAnswers:
    """The provider's word may come before its answer: it names who has asked for it, and is counted once."""

    @pytest.fixture
    def payment(self, fake: FakeProvider, session: PaymentSession) -> Payment:
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        return Payment.objects.get(session=session)

    def left_open(self, fake: FakeProvider, verb: Any, **given: Any) -> Intent:
        """An intent that the provider has carried out without anybody hearing of it."""
        fake.loses_answers("capture" if verb is capturing.capture else "refund")
        with pytest.raises(Exception, match="is not responding"):
            verb(actor=STAFF, **given)
        intent: Intent = Intent.objects.get(done_at=None)
        return intent

    def test_a_capture(self, fake: FakeProvider, payment: Payment) -> None:
        intent = self.left_open(fake, capturing.capture, payment_id=payment.pk, amount=Decimal(20))
        tell("evt_1", payment.session, Action.CAPTURED, status="authorized", captured=20)
        capture = Capture.objects.get()
        assert (capture.amount, capture.created_by, capture.intent_id) == (20, "user_01TEST", intent.pk)
        intents.carry_out(intent.pk)
        assert sums(payment.session) == ("authorized", [50, 20, 0])
        assert Capture.objects.count() == 1
        assert fake.calls[-1].key == fake.calls[-2].key == intent.pk

    def test_a_refund(self, fake: FakeProvider, payment: Payment) -> None:
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        reason = make.refund_reason()
        intent = self.left_open(
            fake, refunding.refund, payment_id=payment.pk, amount=Decimal(5), refund_reason_id=reason.pk, note="Torn"
        )
        tell("evt_1", payment.session, Action.REFUNDED, status="captured", captured=50, refunded=5)
        intents.carry_out(intent.pk)
        refund = Refund.objects.get()
        assert (refund.amount, refund.note, refund.refund_reason_id, refund.created_by, refund.intent_id) == (
            5,
            "Torn",
            reason.pk,
            "user_01TEST",
            intent.pk,
        )
        assert sums(payment.session) == ("captured", [50, 50, 5])

    def test_as_much_taken_at_the_provider_itself_as_somebody_asks_for(
        self, fake: FakeProvider, payment: Payment
    ) -> None:
        """Nobody can tell which was which; what was taken is right, and each is recorded once."""
        fake.says("capture", ConnectionError())
        with pytest.raises(Exception, match="is not responding"):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20))
        intent = Intent.objects.get(done_at=None)
        fake.taken[payment.session_id]["by hand"] = Decimal(20)
        tell("evt_1", payment.session, Action.CAPTURED, status="authorized", captured=20)
        intents.carry_out(intent.pk)
        assert sums(payment.session) == ("authorized", [50, 40, 0])
        assert list(Capture.objects.order_by("pk").values_list("amount", "intent_id")) == [
            (20, intent.pk),
            (20, None),
        ]
        assert Intent.objects.get(pk=intent.pk).result == "done"


class TestWhatIsNotOurs:
    def test_an_event_without_the_providers_signature(self, session: PaymentSession) -> None:
        for headers in ({}, {"x-signature": "forged"}):
            with pytest.raises(InvalidSignature):
                events.receive_event(
                    provider_id=FAKE, body=event("evt_1", session.pk, status="captured"), headers=headers
                )
        assert (ProviderEvent.objects.count(), PaymentSession.objects.get().status) == (0, "pending")

    def test_a_provider_that_settings_do_not_name(self, session: PaymentSession) -> None:
        for provider_id in ("pp_nobody", "", "\0", "x" * 5000):
            with pytest.raises(ProviderNotFound):
                events.receive_event(provider_id=provider_id, body=b"{}", headers=SIGNED)

    def test_a_provider_without_events(self, db: None) -> None:
        with pytest.raises(InvalidSignature):
            events.receive_event(provider_id="pp_system_default", body=b"{}", headers={})

    @pytest.mark.parametrize("session_id", ["payses_nobody", "", "x" * 5000])
    def test_a_session_that_is_not_there(self, session: PaymentSession, session_id: str) -> None:
        reported = event("evt_1", session_id, status="captured")
        events.receive_event(provider_id=FAKE, body=reported, headers=SIGNED)
        assert ProviderEvent.objects.count() == 0

    def test_an_id_that_no_column_holds(self, session: PaymentSession) -> None:
        with pytest.raises(InvalidData, match="'id' too long"):
            tell("e" * 256, session, Action.CAPTURED, status="authorized", captured=20)
        assert (ProviderEvent.objects.count(), PaymentSession.objects.get().status) == (0, "pending")

    def test_a_session_of_another_provider(self, session: PaymentSession) -> None:
        reported = event("evt_1", session.pk, status="captured")
        events.receive_event(provider_id=OTHER, body=reported, headers=SIGNED)
        assert (ProviderEvent.objects.count(), PaymentSession.objects.get().status) == (0, "pending")

    def test_what_is_not_supported(self, session: PaymentSession) -> None:
        for body in (event("evt_1"), event("evt_2", session.pk)):
            events.receive_event(provider_id=FAKE, body=body, headers=SIGNED)
        assert (ProviderEvent.objects.count(), PaymentSession.objects.get().status) == (0, "pending")

    def test_the_same_name_from_two_providers(self, session: PaymentSession) -> None:
        other = make.session(provider_id=OTHER)
        for provider_id, each in ((FAKE, session), (OTHER, other)):
            reported = event("evt_1", each.pk, status="authorized")
            events.receive_event(provider_id=provider_id, body=reported, headers=SIGNED)
        assert set(PaymentSession.objects.values_list("status", flat=True)) == {"authorized"}
