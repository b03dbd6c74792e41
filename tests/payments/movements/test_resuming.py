"""What was asked of a provider and is left undone is taken up: by the command, by `serve`, by the background worker."""

import time
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from commerce.operations.tasks.scheduled_commands import chores, intervals
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from payments.lifecycle import cancellation
from payments.models import Capture, Intent, Payment, PaymentSession
from payments.movements import capturing
from payments.movements.movements import record_movement
from payments.requests import intents
from payments.requests.claims import claim
from payments.requests.intents import carry_out, queue_due, record_intent
from payments.states import Act
from shop.errors import ProviderUnavailable
from tests.factories import payments as make
from tests.factories.clock import at
from tests.operations.server.test_serve import PATIENCE, port, serving
from tests.payments.scripted import Script, provider

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["port", "provider"]

AGO = timedelta(days=1)


class Killed(BaseException):
    """The process ends here, and nothing after it is done."""


def resumed() -> str:
    """What the command says."""
    out = StringIO()
    call_command("resume_payments", stdout=out)
    return out.getvalue().strip()


def work_off() -> None:
    """What the background worker does, with all that is due."""
    DBTaskResult.objects.update(run_after=now() - AGO)
    Worker(
        queue_names=["*"],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id="test",
        excluded_queue_names=[],
    ).run()
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {"SUCCESSFUL"}


def later() -> None:
    """So much time passes that nobody is busy any more with what is open."""
    past = {"created_at": now() - AGO, "claimed_until": now() - AGO}
    Intent.objects.filter(done_at=None, claimed_until__isnull=False).update(**past)
    Intent.objects.filter(done_at=None).update(created_at=past["created_at"])


@pytest.fixture
def payment(provider: Script) -> Payment:
    made = make.authorized_payment(50)
    provider.calls.clear()
    return made


def dies(act: Callable[[], Any]) -> None:
    with pytest.raises(Killed):
        act()


class TestALostProcess:
    def test_before_it_asked(self, payment: Payment, provider: Script) -> None:
        record_movement(
            Act.CAPTURE,
            actor=SYSTEM,
            payment_id=payment.pk,
            amount=Decimal(20),
            available=capturing._capturable,
            too_much=capturing.NothingToCapture,
        )
        later()
        resumed()
        assert provider.asked == ["capture"]
        assert Capture.objects.get().amount == 20

    def test_after_it_asked_and_before_it_recorded(
        self, payment: Payment, provider: Script, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(intents, "_done", lambda *_, **__: (_ for _ in ()).throw(Killed()))
            dies(lambda: capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(20)))
        assert not Capture.objects.exists()
        later()
        resumed()
        assert [key for _, key, _ in provider.calls] == [Intent.objects.get(act="capture").pk] * 2
        assert Capture.objects.get().amount == 20
        assert Payment.objects.get().captured_amount == 20

    def test_while_a_session_was_started(self, provider: Script) -> None:
        def die() -> None:
            raise Killed

        collection, provider.meanwhile = make.collection(), die
        collection.cart.region.payment_providers.add(make.PROVIDER)
        dies(lambda: make.session(collection))
        provider.meanwhile = lambda: None
        later()
        resumed()
        assert provider.asked == ["start", "start"]
        assert Intent.objects.get(act="start").result == "done"
        assert PaymentSession.objects.get().status == "pending"


class TestTheWorker:
    def test_it_asks_for_what_no_caller_waits_for(self, payment: Payment, provider: Script) -> None:
        cancellation.cancel(actor=SYSTEM, collection_id=payment.collection_id)
        work_off()
        assert provider.asked == ["cancel"]

    def test_what_a_caller_waits_for_is_not_queued(self, payment: Payment, provider: Script) -> None:
        capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        assert not DBTaskResult.objects.exists()


class TestTheCommand:
    def test_what_somebody_is_busy_with_is_left_alone(self, payment: Payment, provider: Script) -> None:
        provider.is_silent()
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        provider.is_well()
        Intent.objects.filter(done_at=None).update(created_at=now() - AGO)  # claimed_until is in the future
        assert resumed() == "0 resumed, 0 still open, 0 refused"
        assert provider.asked == ["capture"]

    def test_what_its_maker_is_about_to_ask_is_left_alone(self, payment: Payment, provider: Script) -> None:
        cancellation.cancel(actor=SYSTEM, collection_id=payment.collection_id)
        assert resumed() == "0 resumed, 0 still open, 0 refused"
        assert provider.asked == []

    def test_a_provider_that_still_fails_is_asked_later_and_later(self, payment: Payment, provider: Script) -> None:
        provider.is_silent()
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        for attempts in (2, 3):
            later()
            asked_at = now()
            assert resumed() == "1 resumed, 1 still open, 0 refused"
            intent = Intent.objects.get(done_at=None)
            assert (intent.error, intent.attempts) == ("TimeoutError: no answer", attempts)
            assert intent.claimed_until >= asked_at + settings.PAYMENT_PATIENCE * 2**attempts / 2
        provider.is_well()
        later()
        assert resumed() == "1 resumed, 0 still open, 0 refused"
        assert Capture.objects.get().amount == 50

    def test_what_waits_for_another_of_its_payment_is_queued_once_when_that_has_ended(
        self, payment: Payment, provider: Script
    ) -> None:
        """Such as the refund of a canceled order."""
        capture, refund = (
            record_intent(payment.session_id, act, runs_now=True, amount=Decimal(50))
            for act in (Act.CAPTURE, Act.REFUND)
        )
        later()
        being_sent = claim(capture, is_waiting=True)
        assert queue_due() == []
        carry_out(capture, being_sent)
        assert (queue_due(), queue_due()) == ([refund], [])
        work_off()
        assert provider.asked == ["capture", "refund"]

    def test_what_has_failed_is_not_queued_before_its_back_off_is_over(
        self, payment: Payment, provider: Script
    ) -> None:
        provider.is_silent()
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        Intent.objects.filter(done_at=None).update(created_at=now() - AGO)
        assert queue_due() == []
        later()
        assert len(queue_due()) == 1

    def test_what_a_process_was_killed_with_is_queued_after_seconds(self, payment: Payment) -> None:
        with at(now() - timedelta(seconds=6)):
            intent_id = record_intent(payment.session_id, Act.CAPTURE, runs_now=True, amount=Decimal(50))
            claim(intent_id, is_waiting=True)
        assert queue_due() == [intent_id]

    def test_one_that_fails_does_not_stop_the_others(self, payment: Payment, provider: Script) -> None:
        other = make.authorized_payment(30)
        provider.is_silent()
        for one in (payment, other):
            with pytest.raises(ProviderUnavailable):
                capturing.capture(actor=SYSTEM, payment_id=one.pk)
        provider.is_well()
        provider.meanwhile = lambda: provider.declines("no") if len(provider.calls) % 2 else provider.is_well()
        provider.calls.clear()
        later()
        assert resumed() == "2 resumed, 0 still open, 1 refused"
        assert Capture.objects.get().payment == other

    def test_a_database_that_is_busy_does_not_stop_the_others(
        self, payment: Payment, provider: Script, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = make.authorized_payment(30)
        for one in (payment, other):
            cancellation.cancel(actor=SYSTEM, collection_id=one.collection_id)
        later()
        finish, busy = intents._done, [payment.session_id]

        def record(intent: Intent, report: Any, **given: Any) -> None:
            if intent.session_id in busy:
                raise intents.Conflict
            finish(intent, report, **given)

        monkeypatch.setattr(intents, "_done", record)
        assert resumed() == "2 resumed, 1 still open, 0 refused"

    def test_it_says_nothing_where_nobody_asks_it_to(self, payment: Payment) -> None:
        out = StringIO()
        call_command("resume_payments", verbosity=0, stdout=out)
        assert out.getvalue() == ""


SOON = ["resume_payments --queue", "resume_completions --attempts", "resume_fulfillments"]
LATER = ["resume_completions", "resume_tasks"]


class TestServe:
    @pytest.mark.parametrize(
        ("resume", "expected"),
        [(0, {}), (3, dict.fromkeys([*SOON, *LATER], 3)), (60, dict.fromkeys(SOON, 5) | dict.fromkeys(LATER, 60))],
    )
    def test_it_runs_the_command(self, settings: Any, resume: int, expected: dict[str, int]) -> None:
        settings.PRUNE_INTERVAL, settings.RESUME_INTERVAL, settings.RECOMPUTE_INTERVAL = 0, resume, 0
        assert intervals() == expected
        assert set(chores()) == set(expected)

    def test_what_a_lost_process_left_is_done(
        self, payment: Payment, provider: Script, port: int, process_environment: dict[str, str]
    ) -> None:
        provider.is_silent()
        with pytest.raises(ProviderUnavailable):
            capturing.capture(actor=SYSTEM, payment_id=payment.pk)
        DBTaskResult.objects.all().delete()  # the background worker knows nothing of it
        later()
        with serving(port, {**process_environment, "RESUME_INTERVAL": "1"}):
            deadline = time.monotonic() + PATIENCE
            while not Capture.objects.exists():
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert Capture.objects.get().amount == 50

    def test_all_are_on_by_default(self) -> None:
        assert intervals() == {
            "prune": 3600,
            "resume_payments --queue": 5,
            "resume_completions --attempts": 5,
            "resume_completions": 60,
            "resume_fulfillments": 5,
            "resume_tasks": 60,
            "recompute_lowest": 10,
        }
