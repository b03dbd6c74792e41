"""PostgreSQL is stopped at once in the middle of a completion: a repeated call or the worker finishes it, once.

On a PostgreSQL of their own, since that of the tests may not crash.
"""

import signal
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from kit.rest import idempotency
from kit.safety.idempotency import replay
from orders.completion import completing, settling
from payments.requests import intents
from tests.crash.checkouts import (
    check_answered,
    check_asked,
    check_ordered,
    check_released,
    checkout,
    work_off,
)
from tests.crash.interrupted_completions import Checkout, request
from tests.crash.journal_provider import ASKED, DONE, Journal
from tests.plugins import migrated
from tests.plugins.clusters import Cluster, find_programs
from tests.walks import sampled

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
DURABLE = "synchronous_commit=on"
Crash = Callable[[], None]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    programs = find_programs()
    if programs is None:
        pytest.skip("needs PostgreSQL's own programs")
    made = migrated.cluster(programs, settings=[DURABLE])
    yield made
    made.stop()


@pytest.fixture
def crash(cluster: Cluster, transactional_db: None) -> Iterator[Crash]:
    """Crashes the PostgreSQL that the shop uses, and starts it again."""
    name, kept = "crash", dict(connection.settings_dict)
    with cluster.connect() as superuser:
        superuser.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        superuser.execute(f"CREATE DATABASE {name} TEMPLATE {migrated.TEMPLATE}")
    connection.close()
    connection.settings_dict |= {"NAME": name, "HOST": str(cluster.socket), "PORT": "", "USER": "commerce"}
    usual = signal.getsignal(signal.SIGUSR1)
    yield cluster.crash
    signal.signal(signal.SIGUSR1, usual)
    connection.close()
    connection.settings_dict |= kept


class Trap:
    """Crashes PostgreSQL once, at a point of the completion that runs in this process."""

    def __init__(self, crash: Crash, journal: Journal, patch: pytest.MonkeyPatch) -> None:
        self.crash, self.journal, self.patch = crash, journal, patch

    def before(self, module: Any, name: str) -> None:
        """When that function of the module is called."""
        self._at(module, name, is_done=False)

    def after(self, module: Any, name: str) -> None:
        """When it returns."""
        self._at(module, name, is_done=True)

    def _at(self, module: Any, name: str, *, is_done: bool) -> None:
        work = getattr(module, name)

        def work_around_crash(*given: Any, **named: Any) -> Any:
            self.patch.setattr(module, name, work)
            if is_done:
                result = work(*given, **named)
            self.crash()
            return result if is_done else work(*given, **named)

        self.patch.setattr(module, name, work_around_crash)

    def provider(self, point: str) -> None:
        """While the provider is asked."""
        signal.signal(signal.SIGUSR1, lambda *_: self.crash())
        self.journal.set_trap(point, by=signal.SIGUSR1)

    def commit(self) -> None:
        """The order is committed, and the answer to COMMIT is lost."""
        place, backend = settling.place, type(connections[DEFAULT_DB_ALIAS])
        usual = backend._commit

        def commit(wrapper: DatabaseWrapper) -> None:
            self.patch.setattr(backend, "_commit", usual)
            usual(wrapper)
            self.crash()
            with wrapper.wrap_database_errors:
                raise psycopg.OperationalError("server closed the connection unexpectedly")

        def place_and_set(*given: Any, **named: Any) -> str:
            self.patch.setattr(settling, "place", place)
            self.patch.setattr(backend, "_commit", commit)
            return place(*given, **named)

        self.patch.setattr(settling, "place", place_and_set)


COMMITTED = "the response is committed and not sent"
POINTS: Mapping[str, Callable[[Trap], None]] = {
    "the claim is made and not committed": lambda trap: trap.after(completing, "_claimed"),
    "the claim is committed and the provider not asked": lambda trap: trap.before(completing, "settle"),
    "the provider is asked and has done nothing": lambda trap: trap.provider(ASKED),
    "the provider has authorized and not answered": lambda trap: trap.provider(DONE),
    "the report is recorded and not committed": lambda trap: trap.after(intents, "record"),
    "the report is committed and there is no order": lambda trap: trap.before(settling, "_end"),
    "the order is made and not committed": lambda trap: trap.after(settling, "place"),
    "the order is committed and nobody knows": lambda trap: trap.commit(),
    "the order is committed": lambda trap: trap.after(completing, "settle"),
    "the response is made and not committed": lambda trap: trap.before(replay, "seal"),
    COMMITTED: lambda trap: trap.after(idempotency, "run_once"),
}
NOTHING = next(iter(POINTS))
ASKED_TWICE = tuple(POINTS)[2:5]
"""Points where the provider's answer was lost."""


@pytest.fixture
def trap(crash: Crash, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Trap:
    return Trap(crash, journal, monkeypatch)


@pytest.fixture
def complete(trap: Trap) -> Callable[[Checkout, str], None]:
    """Completes a cart while PostgreSQL crashes at a point."""

    def cut_off(wanted: Checkout, point: str) -> None:
        POINTS[point](trap)
        response = request(wanted)
        connection.close()  # as each request ends but for the test client
        if point == COMMITTED:
            assert response.status_code == 200
        else:
            assert (response.status_code, response.headers["Retry-After"]) == (503, "2")

    return cut_off


@pytest.mark.parametrize("point", sampled(POINTS))
def test_a_repeated_call_finishes_what_the_crash_cut_off(
    complete: Callable[[Checkout, str], None], journal: Journal, point: str
) -> None:
    wanted = checkout()
    complete(wanted, point)
    check_answered(wanted)
    check_ordered(wanted.cart_id)
    work_off()
    check_ordered(wanted.cart_id)
    check_asked(journal, times=1 + (point in ASKED_TWICE))


@pytest.mark.parametrize("point", sampled(POINTS, start=1))
def test_the_worker_finishes_what_the_crash_cut_off(
    complete: Callable[[Checkout, str], None], journal: Journal, point: str
) -> None:
    wanted = checkout()
    complete(wanted, point)
    work_off()
    if point == NOTHING:
        check_released(wanted.cart_id, number_of_attempts=0)
    else:
        check_ordered(wanted.cart_id)
    check_answered(wanted)
    check_ordered(wanted.cart_id)
    check_asked(journal, times=1 + (point in ASKED_TWICE))
