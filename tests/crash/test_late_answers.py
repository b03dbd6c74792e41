"""A provider that answers later than anybody waits, while the worker has asked it again: what it does is done once."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import product
from threading import Event, Lock
from typing import Any

import pytest
from django.db import connection
from django.db.models import F

from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from payments.models import Intent, PaymentSession
from payments.movements import capturing
from payments.requests import intents
from payments.states import Act
from shop.errors import ProviderUnavailable
from tests.crash.interrupted_payments import Wish, ask
from tests.crash.journal_provider import ASKED, DONE, Journal, JournalProvider
from tests.crash.wishes import ACTS, ask_again, check_done_once, finish, wish_for
from tests.walks import sampled

pytestmark = pytest.mark.django_db(transaction=True)
WAIT_SECONDS = 30.0


class Hanging:
    """The provider hangs at that point of the first call that comes there, until it is released."""

    def __init__(self, point: str) -> None:
        self.point = point
        self.is_reached, self.goes_on = Event(), Event()
        self._lock = Lock()

    def reached(self, point: str) -> None:
        with self._lock:
            hangs = point == self.point and not self.is_reached.is_set()
            if hangs:
                self.is_reached.set()
        if hangs:
            assert self.goes_on.wait(WAIT_SECONDS)


@contextmanager
def asked_for_too_long(wish: Wish, point: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Future[Any]]:
    """While the provider hangs; it goes on at the end of the block."""
    hanging = Hanging(point)
    monkeypatch.setattr(JournalProvider, "reached", lambda _, reached: hanging.reached(reached))
    with ThreadPoolExecutor(1) as thread:
        asking = thread.submit(ask_elsewhere, wish)
        assert hanging.is_reached.wait(WAIT_SECONDS)
        try:
            yield asking
        finally:
            hanging.goes_on.set()


def ask_elsewhere(wish: Wish) -> Any:
    try:
        return ask(wish)
    finally:
        connection.close()


@pytest.mark.parametrize(("point", "act"), sampled(product([ASKED, DONE], ACTS)))
def test_the_worker_asks_again_and_both_are_answered(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, act: Act, point: str
) -> None:
    wish = wish_for(act)
    with asked_for_too_long(wish, point, monkeypatch) as asking:
        finish()
        check_done_once(wish, journal, times_asked=2)
    answer = asking.result()
    if act == Act.START:
        assert answer.status_code == 200
    check_done_once(wish, journal, times_asked=2)
    ask_again(wish)
    check_done_once(wish, journal, times_asked=2)


def capture_twenty_more(payment_id: str) -> None:
    capturing.capture(actor=SYSTEM, payment_id=payment_id, amount=Decimal(20))


def test_an_answer_that_comes_late_takes_nothing_back_of_what_was_done_since(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = wish_for(Act.CAPTURE)
    with asked_for_too_long(wish, DONE, monkeypatch) as asking:
        finish()
        capture_twenty_more(wish.subject)
    asking.result()
    session = PaymentSession.objects.get()
    assert (session.data, session.payment.captured_amount) == ({"done": 4}, 50)
    assert [capture.amount for capture in session.payment.captures.order_by("pk")] == [30, 20]


def test_without_the_mark_of_what_is_done_a_late_answer_stands_in_the_place_of_newer_ones(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof can fail."""
    monkeypatch.setattr(intents, "finish", partial(finish_again, intents.finish))
    with pytest.raises(AssertionError):
        test_an_answer_that_comes_late_takes_nothing_back_of_what_was_done_since(journal, monkeypatch)
    assert PaymentSession.objects.get().data == {"done": 3}


def test_who_fails_after_others_have_come_leaves_what_is_asked_to_them(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = wish_for(Act.CAPTURE)
    later = now() + timedelta(hours=1)

    def fail_late(_: JournalProvider, point: str) -> None:
        Intent.objects.filter(done_at=None).update(claimed_until=later, attempts=F("attempts") + 1)
        raise TimeoutError

    monkeypatch.setattr(JournalProvider, "reached", fail_late)
    with pytest.raises(ProviderUnavailable):
        ask(wish)
    intent = Intent.objects.get(done_at=None)
    assert (intent.claimed_until, intent.error) == (later, "")


def finish_again(finish_once: Any, intent: Intent, *given: Any) -> bool:
    finish_once(intent, *given)
    return True
