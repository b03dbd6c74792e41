"""What a provider shall be asked is noted first, asked outside of transactions, and recorded once."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django_tasks_db.models import DBTaskResult

from kit.domain.actor import SYSTEM
from kit.errors import Conflict
from kit.values.timestamps import now
from payments.errors import PaymentProviderRefused
from payments.models import Capture, Intent, Payment, PaymentSession
from payments.movements import capturing
from payments.providers.base import Declined, ProviderReport
from payments.requests import intents
from payments.sessions import authorization
from payments.states import Act, SessionStatus
from shop.errors import ProviderUnavailable
from tests.factories import payments as make
from tests.payments.providers import FAKE, FakeProvider

PATIENCE = timedelta(seconds=60)


@pytest.fixture(autouse=True)
def nobody_waits(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(intents, "WAIT_SECONDS", 0.0)
    settings.PAYMENT_PATIENCE = PATIENCE


@pytest.fixture
def session(fake: FakeProvider) -> PaymentSession:
    """One over 50 dollars that its provider has prepared."""
    return make.session(provider_id=FAKE)


def begun(session: PaymentSession, act: Act = Act.AUTHORIZE, **given: Any) -> Intent:
    """An intent that nobody has begun to carry out."""
    with transaction.atomic():
        return Intent.objects.get(pk=intents.record_intent(session.pk, act, runs_now=True, **given))


def stored(intent: Intent) -> Intent:
    found: Intent = Intent.objects.get(pk=intent.pk)
    return found


def come_later(*, by: timedelta) -> None:
    """As if so much time had passed."""
    for each in Intent.objects.all():
        earlier = each.claimed_until and each.claimed_until - by
        Intent.objects.filter(pk=each.pk).update(created_at=each.created_at - by, claimed_until=earlier)


class TestAsking:
    def test_the_provider_is_reported_all_that_it_needs(self, fake: FakeProvider) -> None:
        session = make.session(provider_id=FAKE, data={"method": "card"}, amount="12.34")
        call = fake.calls[0]
        assert (call.act, call.key) == (Act.START, Intent.objects.get().pk)
        charge = call.charge
        assert (charge.session_id, charge.amount, charge.currency_code) == (session.pk, Decimal("12.34"), "usd")
        assert (charge.cart_id, charge.customer_id) == (session.collection.cart_id, None)
        assert (charge.data, charge.sent) == ({}, {"method": "card"})
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        assert (fake.calls[1].charge.data, fake.calls[1].charge.sent) == (session.data, {})

    def test_what_it_says_is_kept(self, fake: FakeProvider, session: PaymentSession) -> None:
        fake.says(Act.AUTHORIZE, ProviderReport(SessionStatus.REQUIRES_MORE, {"url": "https://bank.example"}))
        intent = begun(session)
        intents.carry_out(intent.pk)
        after = stored(intent)
        assert (after.result, after.error, after.attempts) == ("done", "", 1)
        assert now() - after.done_at < PATIENCE
        found = PaymentSession.objects.get()
        assert (found.status, found.data) == ("requires_more", {"url": "https://bank.example"})

    def test_what_is_done_is_asked_no_more(self, fake: FakeProvider, session: PaymentSession) -> None:
        intent = begun(session)
        for _ in range(3):
            intents.carry_out(intent.pk)
        assert fake.asked == [Act.START, Act.AUTHORIZE]

    def test_never_inside_of_a_transaction(self, fake: FakeProvider, session: PaymentSession) -> None:
        payment = make.authorized_payment(provider_id=FAKE)
        asked = len(fake.calls)
        with transaction.atomic():
            for verb in (
                lambda: make.session(session.collection, provider_id=FAKE),
                lambda: authorization.authorize(actor=SYSTEM, session_id=session.pk),
                lambda: capturing.capture(actor=SYSTEM, payment_id=payment.pk),
            ):
                with pytest.raises(RuntimeError, match="durable atomic block cannot be nested"):
                    verb()
        assert len(fake.calls) == asked

    @pytest.mark.parametrize("act", [Act.START, Act.AUTHORIZE])
    def test_a_refusal_is_reported_to_all_that_ask(self, fake: FakeProvider, act: Act) -> None:
        session = make.session(provider_id=FAKE)
        fake.says(Act.AUTHORIZE, Declined("Card expired"))
        intent = begun(session)
        for _ in range(2):
            with pytest.raises(PaymentProviderRefused, match=r"^The payment provider refused: Card expired$"):
                intents.carry_out(intent.pk)
        assert (stored(intent).result, stored(intent).error) == ("refused", "Card expired")
        assert fake.asked == [Act.START, Act.AUTHORIZE]
        assert PaymentSession.objects.get().status == "error"

    def test_a_refusal_without_words(self, fake: FakeProvider, session: PaymentSession) -> None:
        fake.says(Act.AUTHORIZE, Declined())
        intent = begun(session)
        with pytest.raises(PaymentProviderRefused):
            intents.carry_out(intent.pk)
        assert stored(intent).error == "No reason given"

    def test_a_refused_capture_leaves_the_session_as_it_was(self, fake: FakeProvider, session: PaymentSession) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        fake.says(Act.CAPTURE, Declined("Expired"))
        payment = Payment.objects.get()
        with pytest.raises(PaymentProviderRefused):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        assert (PaymentSession.objects.get().status, Capture.objects.count()) == ("authorized", 0)
        assert capturing.capturable_amount(Payment.objects.get()) == 50

    def test_a_provider_that_settings_name_no_more(
        self, fake: FakeProvider, session: PaymentSession, settings: Any
    ) -> None:
        settings.PAYMENT_PROVIDERS = {}
        intent = begun(session)
        with pytest.raises(ProviderUnavailable):
            intents.carry_out(intent.pk)
        assert (stored(intent).done_at, stored(intent).error[:19]) == (None, "ProviderUnavailable")


class TestOneAtATime:
    def test_what_somebody_asks_already_is_waited_for(self, fake: FakeProvider, session: PaymentSession) -> None:
        intent = begun(session)
        Intent.objects.filter(pk=intent.pk).update(claimed_until=now() + PATIENCE)
        with pytest.raises(Conflict):
            intents.carry_out(intent.pk)
        assert fake.asked == [Act.START]

    def test_a_waiting_caller_is_reported_what_became_of_it(
        self, fake: FakeProvider, session: PaymentSession, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        intent = begun(session)
        Intent.objects.filter(pk=intent.pk).update(claimed_until=now() + PATIENCE)

        def the_other_ends(_: float) -> None:
            Intent.objects.filter(pk=intent.pk).update(done_at=now(), result="refused", error="No funds")

        monkeypatch.setattr(intents, "WAIT_SECONDS", 10.0)
        monkeypatch.setattr(intents.time, "sleep", the_other_ends)
        with pytest.raises(PaymentProviderRefused, match="No funds"):
            intents.carry_out(intent.pk)

    def test_a_claim_that_has_run_out_is_taken_over(self, fake: FakeProvider, session: PaymentSession) -> None:
        """Who held it was killed in the middle: nobody knows what the provider did, so that it is asked by that key."""
        intent = begun(session)
        Intent.objects.filter(pk=intent.pk).update(claimed_until=now() - timedelta(seconds=1), attempts=1)
        intents.carry_out(intent.pk)
        assert (fake.calls[-1].key, stored(intent).attempts, stored(intent).result) == (intent.pk, 2, "done")

    def test_a_sessions_intents_are_carried_out_in_their_order(
        self, fake: FakeProvider, session: PaymentSession
    ) -> None:
        first = begun(session)
        second = begun(session, Act.CAPTURE, amount=Decimal(5))
        with pytest.raises(Conflict):
            intents.carry_out(second.pk, is_waiting=False)
        assert fake.asked == [Act.START]
        intents.carry_out(second.pk)
        assert fake.asked == [Act.START, Act.AUTHORIZE, Act.CAPTURE]
        assert stored(first).result == "done"

    def test_other_sessions_do_not_wait(self, fake: FakeProvider, session: PaymentSession) -> None:
        begun(session)
        other = make.session(provider_id=FAKE)
        assert PaymentSession.objects.get(pk=other.pk).status == "pending"


class TestWithoutAnAnswer:
    def test_it_stays_open_with_what_went_wrong(self, fake: FakeProvider, session: PaymentSession) -> None:
        fake.says(Act.AUTHORIZE, TimeoutError("after 20 s"))
        intent = begun(session)
        with pytest.raises(ProviderUnavailable, match=r"^The payment provider pp_double_test is not responding"):
            intents.carry_out(intent.pk)
        after = stored(intent)
        assert (after.done_at, after.result, after.error, after.attempts) == (
            None,
            "",
            "TimeoutError: after 20 s",
            1,
        )
        assert after.claimed_until - now() <= PATIENCE
        assert PaymentSession.objects.get().status == "pending"

    def test_who_waits_may_ask_again_at_once(self, fake: FakeProvider, session: PaymentSession) -> None:
        fake.says(Act.AUTHORIZE, TimeoutError())
        intent = begun(session)
        with pytest.raises(ProviderUnavailable):
            intents.carry_out(intent.pk)
        intents.carry_out(intent.pk)
        assert (stored(intent).result, stored(intent).error, stored(intent).attempts) == ("done", "", 2)
        assert [call.key for call in fake.calls[1:]] == [intent.pk] * 2

    def test_the_worker_asks_less_and_less_often(self, fake: FakeProvider, session: PaymentSession) -> None:
        fake.says(Act.AUTHORIZE, *[TimeoutError()] * 9)
        intent = begun(session)
        runs_now = []
        for _ in range(9):
            come_later(by=timedelta(days=1))
            assert intents.resume_all() == [intent.pk]
            assert intents.resume_all() == []
            runs_now.append(round((stored(intent).claimed_until - now()) / PATIENCE))
        assert runs_now == [2, 4, 8, 16, 16, 16, 16, 16, 16]
        come_later(by=timedelta(days=1))
        intents.resume_all()
        assert (stored(intent).result, stored(intent).attempts) == ("done", 10)

    @pytest.mark.parametrize("act", [Act.CAPTURE, Act.REFUND])
    def test_what_was_done_unheard_is_done_once(self, fake: FakeProvider, session: PaymentSession, act: Act) -> None:
        """A crash after the provider's work, before its record."""
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        if act == Act.REFUND:
            capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get().pk)
        fake.loses_answers(act, times=2)
        intent = begun(session, act, amount=Decimal(20))
        for _ in range(2):
            with pytest.raises(ProviderUnavailable):
                intents.carry_out(intent.pk)
        intents.carry_out(intent.pk)
        payment = Payment.objects.get()
        assert getattr(payment, "captured_amount" if act == Act.CAPTURE else "refunded_amount") == 20
        assert {call.key for call in fake.calls if call.act == act and call.key == intent.pk} == {intent.pk}
        assert len([call for call in fake.calls if call.key == intent.pk]) == 3

    def test_what_cannot_be_recorded_stays_open(
        self, fake: FakeProvider, session: PaymentSession, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        authorization.authorize(actor=SYSTEM, session_id=session.pk)
        intent = begun(session, Act.CAPTURE, amount=Decimal(20))
        with monkeypatch.context() as patch:

            def crash(*_: Any, **__: Any) -> None:
                raise SystemExit

            patch.setattr(intents, "record", crash)
            with pytest.raises(SystemExit):
                intents.carry_out(intent.pk)
        assert (stored(intent).done_at, Payment.objects.get().captured_amount) == (None, 0)
        with pytest.raises(Conflict):  # the one that crashed may still be at it
            intents.carry_out(intent.pk)
        come_later(by=PATIENCE)
        assert intents.resume_all() == [intent.pk]
        assert (stored(intent).result, Payment.objects.get().captured_amount) == ("done", 20)
        assert list(fake.taken[session.pk].values()) == [20]


class TestTakingUp:
    def test_the_worker_leaves_its_maker_the_time_to_do_it(self, fake: FakeProvider, session: PaymentSession) -> None:
        intent = begun(session)
        assert intents.resume_all() == []
        come_later(by=PATIENCE + timedelta(seconds=1))
        assert intents.resume_all() == [intent.pk]
        assert stored(intent).result == "done"

    def test_what_a_caller_waits_for_is_no_task(self, fake: FakeProvider, session: PaymentSession) -> None:
        assert not DBTaskResult.objects.exists()

    def test_what_nobody_waits_for_is_a_task_for_now(self, fake: FakeProvider, session: PaymentSession) -> None:
        with transaction.atomic():
            intent_id = intents.record_intent(session.pk, Act.CANCEL, runs_now=False)
        task = DBTaskResult.objects.ready().get()
        assert (task.args_kwargs["kwargs"], task.task_path) == ({"intent_id": intent_id}, "payments.intents.resume")
        intents.resume.call(intent_id=intent_id)
        assert fake.asked == [Act.START, Act.CANCEL]

    def test_one_that_fails_does_not_keep_the_others_back(self, fake: FakeProvider, session: PaymentSession) -> None:
        other = make.session(provider_id=FAKE)
        made = [begun(each) for each in (session, other)]
        fake.says(Act.AUTHORIZE, TimeoutError())
        come_later(by=timedelta(days=1))
        assert intents.resume_all() == [each.pk for each in made]
        assert [stored(each).result for each in made] == ["", "done"]

    def test_a_task_of_something_done_does_nothing(self, fake: FakeProvider, session: PaymentSession) -> None:
        intents.resume.call(intent_id=Intent.objects.get().pk)
        assert fake.asked == [Act.START]
