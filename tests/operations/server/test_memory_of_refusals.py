"""The memory of a web process after many large requests that it refuses."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import orjson
import pytest

from tests.crash.faults import web_processes
from tests.factories.apikeys import publishable_key
from tests.operations.server.test_serve import port, serving

__all__ = ["port"]
pytestmark = [pytest.mark.every(3), pytest.mark.once]

CALLERS = 8
LARGE = 900_000
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
NESTED = b'{"metadata":{"a":[' + b",".join([b"[[1]]"] * (LARGE // 6)) + b"]}}"
MANY_KEYS = b"{" + b",".join(b'"key%d":1' % number for number in range(LARGE // 12)) + b"}"
OTHERS = {
    "many keys": ("/store/carts", MANY_KEYS, JSON),
    "a long text": ("/store/carts", orjson.dumps({"email": "x" * LARGE}), JSON),
    "a long number": ("/store/carts", b'{"email":' + b"1" * LARGE + b"}", JSON),
    "half a text": ("/store/carts", b'{"metadata":{"a":["' + b"x" * LARGE, JSON),
    "a document": ("/graphql", orjson.dumps({"query": "{ " + "a" * 99_000 + " }"}), JSON),
    "variables": ("/graphql", b'{"query":"{ nope }","variables":' + NESTED + b"}", JSON),
    "a form": ("/admin/login/", b"username=" + b"x" * LARGE, FORM),
    "a form of many fields": ("/admin/login/", b"&".join([b"field=1"] * 2000), FORM),
}


def refused(port: int, key: str, path: str, body: bytes, headers: Mapping[str, str]) -> int:
    web = HTTPConnection("127.0.0.1", port, timeout=60)
    web.request("POST", path, body, {"x-publishable-api-key": key, **headers})
    status = web.getresponse().status
    web.close()
    return status


def megabytes(pid: int) -> float:
    """The process's own memory, which it shares with no other and with no file."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) / 1024


def test_refused_requests_leave_no_memory_behind(port: int, process_environment: dict[str, str]) -> None:
    key = publishable_key().token
    with (
        serving(port, {**process_environment, "LOG_LEVEL": "WARNING"}) as server,
        ThreadPoolExecutor(CALLERS) as callers,
    ):
        (pid,) = web_processes(server.pid)
        ask = partial(refused, port, key)

        def send(times: int, path: str, body: bytes, headers: Mapping[str, str]) -> set[int]:
            return set(callers.map(lambda _: ask(path, body, headers), range(times)))

        for path, _, headers in OTHERS.values():  # loads what the first request of each kind needs
            send(2 * CALLERS, path, b"{}", headers)
        before = megabytes(pid)
        assert send(1000, "/store/carts", NESTED, JSON) == {400}
        assert megabytes(pid) < before + 15
        for name, (path, body, headers) in OTHERS.items():
            statuses = send(50, path, body, headers)
            assert statuses in ({400}, {403}), name
        assert megabytes(pid) < before + 40
