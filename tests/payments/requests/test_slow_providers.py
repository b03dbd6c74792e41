"""A payment provider that hangs holds some threads of the urgent queue, and never all of them."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from typing import Any

import pytest
from django_tasks_db.models import DBTaskResult

from commerce.operations.tasks.background_workers import THREADS, background_work
from commerce.operations.tasks.work_threads import keep_working
from kit.jobs.queues import SLOW, URGENT
from orders.completion.resuming import complete_later
from payments.models import Capture, Payment
from payments.providers.base import Charge, ProviderReport
from payments.providers.system import SystemProvider
from payments.requests import slow_providers
from payments.requests.intent_rows import insert_intent
from payments.requests.intents import resume
from payments.requests.slow_providers import LINES, line
from payments.states import Act
from shop.models import PaymentProvider
from tests.factories import payments as make
from tests.waiting import until

PATIENCE = 60.0


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_providers, "SLOW_SECONDS", 0.05)


@pytest.mark.once
def test_a_provider_whose_calls_are_short_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_providers, "SLOW_SECONDS", PATIENCE)
    taken: list[bool] = []

    def take() -> None:
        with line("pp_any") as is_free:
            taken.append(is_free)

    with ExitStack() as calls:
        assert [calls.enter_context(line("pp_any")) for _ in range(LINES)] == [True] * LINES
        waiting = threading.Thread(target=take)
        waiting.start()
        waiting.join(0.1)
        assert taken == []
    waiting.join()
    assert taken == [True]


@pytest.mark.once
def test_a_slow_provider_has_no_further_line_and_others_have(impatient: None) -> None:
    with ExitStack() as calls:
        assert [calls.enter_context(line("pp_slow")) for _ in range(LINES)] == [True] * LINES
        with line("pp_slow") as is_free, line("pp_other") as other_is_free:
            assert (is_free, other_is_free) == (False, True)
    with line("pp_slow") as is_free:
        assert is_free


@contextmanager
def background(*queues: str) -> Iterator[None]:
    """The threads of these queues, as in the background process."""
    stopped = threading.Event()
    threads = [
        threading.Thread(target=keep_working, args=(name, work, stopped))
        for name, work in background_work("test").items()
        if name.split()[0] in (*queues, "poller")
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopped.set()
        for thread in threads:
            thread.join()


class HangingProvider(SystemProvider):
    """Agrees to everything, and answers requests to capture once it is released."""

    is_local = False
    released = threading.Event()

    def capture(self, charge: Charge, amount: Decimal, *, key: str) -> ProviderReport:
        self.released.wait(PATIENCE)
        return super().capture(charge, amount, key=key)


@pytest.mark.postgresql  # SQLite has one writer at a time
@pytest.mark.django_db(transaction=True)
def test_captures_and_completions_pass_a_provider_that_hangs(
    settings: Any, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = f"{__name__}.{HangingProvider.__name__}"
    settings.PAYMENT_PROVIDERS = {**settings.PAYMENT_PROVIDERS, "pp_hanging": named}
    PaymentProvider.objects.create(id="pp_hanging", is_enabled=True)
    hanging = [make.authorized_payment(50, provider_id="pp_hanging") for _ in range(THREADS[URGENT] + 2)]
    other = make.authorized_payment(30)
    monkeypatch.setattr(HangingProvider, "released", threading.Event())
    for payment in hanging:
        _queue_capture(payment)
    with background(URGENT, SLOW):
        try:
            # One of them in the slow queue.
            until(lambda: DBTaskResult.objects.running().count() == LINES + 1, seconds=PATIENCE)
            _queue_capture(other)
            complete_later(other.collection.cart_id)
            until(lambda: Capture.objects.filter(payment=other).exists(), seconds=PATIENCE)
            until(lambda: not DBTaskResult.objects.ready().filter(queue_name=URGENT).exists(), seconds=PATIENCE)
            assert Capture.objects.count() == 1
            until(
                lambda: DBTaskResult.objects.ready().filter(queue_name=SLOW).count() == len(hanging) - LINES - 1,
                seconds=PATIENCE,
            )
        finally:
            HangingProvider.released.set()
        until(lambda: Capture.objects.count() == 1 + len(hanging), seconds=PATIENCE)


def _queue_capture(payment: Payment) -> None:
    resume.enqueue(intent_id=insert_intent(payment.session_id, Act.CAPTURE, amount=payment.amount))
