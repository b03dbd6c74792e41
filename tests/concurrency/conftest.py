import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from pytest_django import Settings

from kit.database import locking
from tests.concurrency.payment_providers import AS_ENVIRONMENT, PROVIDERS
from tests.concurrency.running_server import RunningServer, running_server
from tests.crash.journal_provider import JOURNAL, Journal
from tests.factories.apikeys import publishable_key

pytest.register_assert_rewrite(
    *(f"tests.concurrency.{name}" for name in ("redemption_requests", "payment_requests", "money_moves"))
)


LONG_WAIT_MS = 30_000


@pytest.fixture(autouse=True)
def long_waits_for_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long others hold a lock depends on the machine. Tests of waits that are too long set a short one."""
    options = connection.settings_dict["OPTIONS"]  # threads open their connections with the same ones
    if connection.vendor == "postgresql":
        monkeypatch.setitem(
            options, "options", re.sub(r"lock_timeout=\d+", f"lock_timeout={LONG_WAIT_MS}", options["options"])
        )
    else:
        monkeypatch.setitem(options, "timeout", LONG_WAIT_MS / 1000)


@pytest.fixture(scope="session")
def payment_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that payment providers of running servers keep."""
    return tmp_path_factory.mktemp("providers") / "journal"


@pytest.fixture(scope="session")
def running(
    database_environment: dict[str, str], payment_journal: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """The shop, served for real by several workers, to every test that asks: it keeps nothing of what one commits."""
    log = tmp_path_factory.mktemp("server") / "log"
    named = {"PAYMENT_PROVIDERS": AS_ENVIRONMENT, JOURNAL: str(payment_journal), "LOCK_TIMEOUT_MS": str(LONG_WAIT_MS)}
    environment = {**database_environment, **named}
    with running_server(environment, log=log, headers={}) as server:
        yield server


@pytest.fixture
def server(running: RunningServer, transactional_db: None) -> RunningServer:
    """The same, with this test's publishable key."""
    return RunningServer(running.port, headers={"x-publishable-api-key": publishable_key().token})


@pytest.fixture
def journal(payment_journal: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Journal:
    """Of the payment providers, which this test's own process can ask too."""
    monkeypatch.setenv(JOURNAL, str(payment_journal))
    settings.PAYMENT_PROVIDERS = PROVIDERS
    return Journal(payment_journal)


@pytest.fixture
def seen_deadlocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deadlocks raise OperationalError, which no test expects, instead of being retried."""
    monkeypatch.setattr(locking, "_RETRIED_STATES", frozenset({"40001"}))
    monkeypatch.setattr(locking, "_CONFLICT_STATES", frozenset({"40001", "55P03"}))
