"""Payments outlive the processes that ask for them: web workers, the background worker, PostgreSQL's connections."""

import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse

from payments.models import Intent
from payments.states import Act
from tests.concurrency.lost_connection import end_this_connection
from tests.concurrency.running_server import Answered, RunningServer, Sent, running_server
from tests.crash.interrupted_payments import PROVIDER, PROVIDERS, ask, command, killed_at
from tests.crash.journal_provider import ASKED, DONE, JOURNAL, Journal, JournalProvider
from tests.crash.wishes import ACTS, KEY, ask_again, check_done_once, finish, wish_for

pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def server(process_environment: dict[str, str], journal: Journal, tmp_path: Path) -> Iterator[RunningServer]:
    """One that waits a second for a provider."""
    environment = {
        **process_environment,
        "PAYMENT_PROVIDERS": PROVIDERS,
        "PAYMENT_PATIENCE": "1",
        JOURNAL: str(journal.path),
    }
    with running_server(environment, log=tmp_path / "log", headers={}, workers=2) as running:
        yield running


@pytest.mark.once
def test_a_web_worker_is_killed_while_it_asks_and_another_goes_on(server: RunningServer, journal: Journal) -> None:
    wish = wish_for(Act.START)
    path, body = f"/store/payment-collections/{wish.subject}/payment-sessions", {"provider_id": PROVIDER}
    request = Sent(path, body, {"x-publishable-api-key": wish.publishable, "Idempotency-Key": KEY})
    journal.set_trap(DONE)
    with pytest.raises(ConnectionError):
        server.send(request)
    answer = answered(server, request)
    assert answer.status == 200
    check_done_once(wish, journal, times_asked=2)
    again = answered(server, request)
    assert (again.body, again.headers["idempotent-replayed"]) == (answer.body, "true")


def answered(server: RunningServer, request: Sent) -> Answered:
    """A connection may still come to the dead worker's door."""
    while True:
        with suppress(ConnectionError):
            return server.send(request)


def test_the_background_worker_does_what_a_killed_process_has_noted(
    process_environment: dict[str, str], journal: Journal
) -> None:
    wish = wish_for(Act.CANCEL)
    assert killed_at("the intent is committed and nobody has it", wish, process_environment) == -signal.SIGKILL
    assert work_off_tasks(process_environment) == 0
    check_done_once(wish, journal, times_asked=1)


@pytest.mark.parametrize("point", [ASKED, DONE])
def test_the_background_worker_is_killed_while_it_asks_and_what_is_left_is_taken_up(
    process_environment: dict[str, str], journal: Journal, point: str
) -> None:
    """Its task is lost with it: nobody runs that again."""
    wish = wish_for(Act.CANCEL)
    assert killed_at("the intent is committed and nobody has it", wish, process_environment) == -signal.SIGKILL
    journal.set_trap(point)
    assert work_off_tasks(process_environment) == -signal.SIGKILL
    assert work_off_tasks(process_environment) == 0
    assert Intent.objects.filter(done_at=None).count() == 1
    while Intent.objects.filter(done_at=None).exists():
        assert command("resume_payments", process_environment, verbosity=0) == 0
    check_done_once(wish, journal, times_asked=2)


def work_off_tasks(environment: dict[str, str]) -> int | None:
    """As `serve` has it, until no task is left."""
    return command("db_worker", environment, queue_name="*", batch=True, startup_delay=False, reload=False)


@pytest.mark.postgresql
@pytest.mark.parametrize("act", ACTS)
def test_postgresql_ends_the_connection_between_answer_and_outcome(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, act: Act
) -> None:
    wish = wish_for(act)
    end_connection_once(monkeypatch)
    try:
        answer: HttpResponse | None = ask(wish)
    except OperationalError:
        connection.close()
    else:
        assert act == Act.START
        assert answer is not None
        assert (answer.status_code, answer.json()["type"]) == (503, "unavailable")
    assert Intent.objects.filter(done_at=None).count() == 1
    if act == Act.CANCEL:
        finish()
    ask_again(wish)
    check_done_once(wish, journal, times_asked=2)


def end_connection_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as the provider has done what it was asked."""

    def reached(_: JournalProvider, point: str) -> None:
        if point == DONE:
            monkeypatch.setattr(JournalProvider, "reached", lambda *_: None)
            end_this_connection()

    monkeypatch.setattr(JournalProvider, "reached", reached)
