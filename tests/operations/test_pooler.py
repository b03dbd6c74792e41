"""A real pgbouncer between the shop and PostgreSQL is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit.database.pooler import SENTENCE
from tests.concurrency.running_server import Sent, running_server
from tests.factories.apikeys import publishable_key
from tests.operations.server.test_serve import run_serve
from tests.plugins.poolers import pgbouncer
from tests.ports import free_port

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.servers("pgbouncer"),
]


@pytest.fixture
def behind_pgbouncer(process_environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """The environment of a process that works on this test's database through a pooler that drops its options."""
    pooler = pgbouncer(process_environment["DATABASE_SOCKET"], ignored="options")
    try:
        yield {**process_environment, "DATABASE_SOCKET": str(pooler.directory)}
    finally:
        pooler.remove()


def test_serve_refuses_a_pooler_with_one_sentence(port: int, behind_pgbouncer: dict[str, str]) -> None:
    refused = run_serve(port, behind_pgbouncer)
    assert (refused.returncode, refused.stderr) == (1, f"CommandError: {SENTENCE}\n")


def test_a_web_process_answers_nothing_from_behind_a_pooler(behind_pgbouncer: dict[str, str], tmp_path: Path) -> None:
    log, key = tmp_path / "log", {"x-publishable-api-key": publishable_key().token}
    with running_server(behind_pgbouncer, log=log, headers=key, workers=1) as server:
        assert server.send(Sent("/health/live", method="GET")).status == 200
        ready = [server.send(Sent("/health/ready", method="GET")) for _ in range(2)]
        regions = server.send(Sent("/store/regions", method="GET"))
    assert [answer.status for answer in (*ready, regions)] == [503] * 3
    assert regions.body["type"] == "unavailable"
    assert SENTENCE in log.read_text()


@pytest.fixture
def port() -> int:
    return free_port()
