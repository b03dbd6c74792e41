"""A real pgbouncer between the shop and PostgreSQL is refused."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commerce.kit.core.pooler import SENTENCE
from tests.concurrency.running_server import Sent, running_server
from tests.factories.apikeys import publishable_key
from tests.operations.test_serve import PATIENCE, run_serve
from tests.plugins.servers import find
from tests.plugins.throwaway import ThrowAway

CONFIGURATION = """
[databases]
* = host={server} user=commerce
[pgbouncer]
pool_mode = transaction
auth_type = any
unix_socket_dir = {here}
listen_port = 5432
ignore_startup_parameters = options,extra_float_digits
"""
pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.servers("pgbouncer"),
]


@pytest.fixture
def behind_pgbouncer(process_environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """The environment of a process that works on this test's database through a pooler."""
    home = ThrowAway("pgbouncer")
    configuration = home.directory / "pgbouncer.ini"
    server = process_environment["DATABASE_SOCKET"]
    configuration.write_text(CONFIGURATION.format(server=server, here=home.directory))
    home.keep([str(find("pgbouncer")), configuration])
    try:
        _wait_for(home.directory / ".s.PGSQL.5432", home)
        yield {**process_environment, "DATABASE_SOCKET": str(home.directory)}
    finally:
        home.remove()


def _wait_for(address: Path, home: ThrowAway) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(address)) == 0:
                return
        assert time.monotonic() < deadline, home.log()
        time.sleep(0.05)


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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
