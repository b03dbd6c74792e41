"""A claim lasts while its process asks, and lapses soon after the process has died."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from threading import Event
from typing import Any

import pytest
from django.db import OperationalError, transaction

from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from kit.writes import leases
from payments.models import Intent
from payments.movements import capturing, movements
from payments.requests import claims, intents
from payments.requests.claims import LEASE, claim, renewed
from payments.states import Act
from tests.factories import payments as make
from tests.payments.providers import FAKE, FakeProvider

pytestmark = pytest.mark.django_db(transaction=True)
LONG = timedelta(hours=1)


@pytest.fixture
def intent(fake: FakeProvider, settings: Any) -> Intent:
    """An intent that nobody has begun, of a provider that may take an hour."""
    settings.PAYMENT_PATIENCE = LONG
    session = make.session(provider_id=FAKE)
    with transaction.atomic():
        return Intent.objects.get(pk=intents.record_intent(session.pk, Act.AUTHORIZE, runs_now=True))


def claimed(intent: Intent) -> Intent:
    found = claim(intent.pk, is_waiting=True)
    assert found is not None
    return found


def lease_of(intent: Intent) -> datetime:
    return Intent.objects.get(pk=intent.pk).claimed_until


@contextmanager
def frequently_renewed(intent: Intent, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Renewed all the time, until the event reports the last beat."""
    is_over, beat = Event(), claims._beat

    def beat_and_say(of: Intent) -> bool:
        goes_on = beat(of)
        if not goes_on:
            is_over.set()
        return goes_on

    monkeypatch.setattr(claims, "BEAT_SECONDS", 0.01)
    monkeypatch.setattr(claims, "_beat", beat_and_say)
    with renewed(intent):
        yield is_over


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> datetime:
    moment = now() + by
    monkeypatch.setattr(claims, "now", lambda: moment)
    monkeypatch.setattr(leases, "now", lambda: moment)
    return moment


def test_a_claim_lasts_for_a_lease_whatever_the_provider_may_take(intent: Intent) -> None:
    ours = claimed(intent)
    assert (ours.claimed_until - ours.claimed_at, ours.attempts) == (LEASE, 1)
    assert claim(intent.pk, is_waiting=True) is None


def test_what_a_dead_process_has_claimed_is_free_when_its_lease_has_ended(
    intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed(intent)
    later(monkeypatch, LEASE - timedelta(milliseconds=200))
    assert claim(intent.pk, is_waiting=True) is None
    later(monkeypatch, LEASE)
    assert claimed(intent).attempts == 2
    assert timedelta(seconds=3) > LEASE


@pytest.mark.parametrize("is_earlier_open", [False, True])
def test_a_capture_is_claimed_as_it_is_recorded(
    fake: FakeProvider, monkeypatch: pytest.MonkeyPatch, *, is_earlier_open: bool
) -> None:
    """The process dies before it sends the request. Behind an open request of the session, it waits for its turn."""
    payment = make.captured_payment(provider_id=FAKE, captured=5)
    if is_earlier_open:
        with transaction.atomic():
            intents.record_intent(payment.session_id, Act.REFUND, runs_now=True, amount=Decimal(2))
    monkeypatch.setattr(movements, "carry_out", lambda *_: None)
    capturing.capture(actor=SYSTEM, payment_id=payment.pk, amount=Decimal(10))
    recorded = Intent.objects.get(act=Act.CAPTURE, done_at=None)
    if is_earlier_open:
        assert (recorded.claimed_until, recorded.attempts) == (None, 0)
        return
    assert (recorded.claimed_until - recorded.claimed_at, recorded.attempts) == (LEASE, 1)
    assert claim(recorded.pk, is_waiting=True) is None
    later(monkeypatch, LEASE)
    intents.carry_out(recorded.pk)
    assert [(call.act, call.key) for call in fake.calls][-1] == (Act.CAPTURE, recorded.pk)


def test_while_a_provider_is_asked_the_claim_is_renewed(intent: Intent, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = claimed(intent)
    moment = later(monkeypatch, timedelta(minutes=30))
    with frequently_renewed(ours, monkeypatch):
        while lease_of(intent) == ours.claimed_until:
            pass
    assert lease_of(intent) == moment + LEASE


def test_no_longer_than_a_provider_may_take(intent: Intent, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = claimed(intent)
    later(monkeypatch, LONG)
    with frequently_renewed(ours, monkeypatch) as is_over:
        assert is_over.wait(timeout=30)
    assert lease_of(intent) == ours.claimed_at + LONG


@pytest.mark.parametrize(
    "meanwhile", [{"attempts": 2}, {"error": "TimeoutError"}, {"done_at": now(), "result": "done"}]
)
def test_not_where_another_has_claimed_it_or_it_rests_or_is_done(
    intent: Intent, monkeypatch: pytest.MonkeyPatch, meanwhile: dict[str, Any]
) -> None:
    ours = claimed(intent)
    Intent.objects.filter(pk=intent.pk).update(**meanwhile)
    later(monkeypatch, timedelta(minutes=1))
    with frequently_renewed(ours, monkeypatch) as is_over:
        assert is_over.wait(timeout=30)
    assert lease_of(intent) == ours.claimed_until


def test_a_beat_that_fails_is_not_the_last_one(intent: Intent, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, renew, failures = claimed(intent), claims._renew, [OperationalError("the database is busy")] * 2

    def fail_twice(of: Intent) -> bool:
        if failures:
            raise failures.pop()
        return renew(of)

    monkeypatch.setattr(claims, "_renew", fail_twice)
    later(monkeypatch, LONG)
    with frequently_renewed(ours, monkeypatch) as is_over:
        assert is_over.wait(timeout=30)
    assert lease_of(intent) == ours.claimed_at + LONG
