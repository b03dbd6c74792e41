"""A server whose SQLite database has no room: every write of a file is refused by the system's own limit."""

import resource
import time
from http.client import HTTPConnection

import orjson
import pytest
from django.db import connection

from kit.database.unwritable import QUIET_SECONDS
from tests.crash.faults import web_processes
from tests.factories.apikeys import publishable_key
from tests.factories.carts import selling_region
from tests.operations.server.test_serve import PATIENCE, answers, port, serving

__all__ = ["port"]
UNLIMITED = resource.RLIM_INFINITY


@pytest.mark.skipif(connection.vendor == "postgresql", reason="PostgreSQL stores in processes of its own")
def test_it_is_not_ready_while_it_cannot_store_and_recovers_by_itself(
    port: int, process_environment: dict[str, str]
) -> None:
    selling_region()
    key = publishable_key().token

    def cart_status() -> int:
        web = HTTPConnection("127.0.0.1", port, timeout=30)
        web.request("POST", "/store/carts", b"{}", {"x-publishable-api-key": key, "Content-Type": "application/json"})
        answer = web.getresponse()
        kind = orjson.loads(answer.read()).get("type")
        web.close()
        assert answer.status == 200 or (answer.headers["Retry-After"], kind) == ("2", "unavailable")
        return answer.status

    with serving(port, process_environment) as server:
        (pid,) = web_processes(server.pid)
        assert (cart_status(), answers(port, "/health/ready")) == (200, True)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, UNLIMITED))
        assert [cart_status() for _ in range(3)] == [503] * 3
        assert not answers(port, "/health/ready")
        assert answers(port, "/health/live")
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))
        assert cart_status() == 200
        deadline = time.monotonic() + QUIET_SECONDS + PATIENCE
        while not answers(port, "/health/ready"):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert web_processes(server.pid) == [pid]
