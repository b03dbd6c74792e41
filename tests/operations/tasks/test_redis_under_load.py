"""A server under load whose Redis is killed, restarted and silent: no request fails and no ended session opens."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection

import pytest

from staff.models import User
from tests.auth.conftest import token_of
from tests.factories.staff import UserFactory
from tests.operations.monitoring.test_metrics import scraped
from tests.operations.redis_server import RedisServer, redis_server
from tests.operations.server.test_serve import PATIENCE, port, serving
from tests.ports import free_port

__all__ = ["port"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers("redis-server")]
LIMIT = 5
SILENCE_SECONDS = 1.5


@dataclass
class Load:
    """Callers who each send one request after the other. statuses: of all responses, by caller."""

    port: int
    statuses: dict[str, list[int]] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)

    def begin(self, name: str, method: str, path: str, body: str = "", **headers: str) -> None:
        """Start another caller."""
        seen = self.statuses[name] = []

        def send() -> None:
            while not self.stopped.is_set():
                seen.append(request(self.port, method, path, body, **headers)[0])

        self.threads.append(threading.Thread(target=send))
        self.threads[-1].start()

    def wait_for(self, more: int) -> None:
        """Until each caller has that many more responses."""
        wanted = {name: len(seen) + more for name, seen in self.statuses.items()}
        deadline = time.monotonic() + PATIENCE
        while any(len(self.statuses[name]) < number for name, number in wanted.items()):
            assert time.monotonic() < deadline
            time.sleep(0.05)


@contextmanager
def load(port: int) -> Iterator[Load]:
    running = Load(port)
    try:
        yield running
    finally:
        running.stopped.set()
        for thread in running.threads:
            thread.join()


def request(port: int, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
    """The status, and the cookies that were set."""
    web = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        web.request(method, path, body, {"Content-Type": "application/json", **headers})
        response = web.getresponse()
        response.read()
        return response.status, response.headers.get("Set-Cookie", "")
    finally:
        web.close()


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


@pytest.fixture
def user() -> User:
    return UserFactory(email="ann@example.com", is_superuser=True)


def session_of(port: int, user: User) -> str:
    """The cookie of a new session."""
    status, cookie = request(port, "POST", "/auth/session", Authorization=f"Bearer {token_of(user)}")
    assert status == 200
    return cookie.partition(";")[0]


def test_no_request_fails_and_no_ended_session_opens(
    redis: RedisServer, port: int, user: User, process_environment: dict[str, str]
) -> None:
    environment = {
        **process_environment,
        "REDIS_URL": redis.url,
        "THROTTLES_IN_REDIS": "True",
        "SESSIONS_IN_REDIS": "True",
        "RESET_ATTEMPTS": str(LIMIT),
        "RESET_WINDOW": str(10**9),
        "FLOOD_ATTEMPTS": str(10**6),
        "METRICS_PORT": str(metrics_port := free_port()),
        "LOG_LEVEL": "CRITICAL",
    }
    losses = 0
    with serving(port, environment), load(port) as running:
        ended = [session_of(port, user) for _ in range(3)]
        for cookie in ended:
            assert request(port, "GET", "/admin/api-keys", Cookie=cookie)[0] == 200
        with redis.client() as client:
            assert len(client.keys("session:*")) == 3
        for number in range(2):
            running.begin(f"living {number}", "GET", "/admin/api-keys", Cookie=session_of(port, user))
        body = json.dumps({"identifier": "eve@example.com"})
        running.begin("reset", "POST", "/auth/customer/emailpass/reset-password", body)
        for number, cookie in enumerate(ended):
            running.wait_for(20)
            with redis.paused():
                assert request(port, "DELETE", "/auth/session", Cookie=cookie)[0] == 200
                running.begin(f"ended {number}", "GET", "/admin/api-keys", Cookie=cookie)
                time.sleep(SILENCE_SECONDS)
            running.wait_for(20)
            redis.kill()
            time.sleep(SILENCE_SECONDS)  # each process asks again once the pause after the silence is over
            running.wait_for(20)
            assert request(port, "GET", "/health/ready")[0] == 200
            redis.start()
            losses += 1
            time.sleep(SILENCE_SECONDS)
            with redis.client() as client:
                assert client.keys("session:*")  # it is used again
        samples = scraped(metrics_port)
    with redis.client() as client:
        keys = [key.decode() for key in client.keys("*")]
    assert keys
    assert {key.partition(":")[0] for key in keys} <= {"session", "throttle"}  # nothing else of the shop is in there
    assert samples['commerce_redis_fallbacks_total{use="sessions"}'] > losses
    assert samples['commerce_redis_fallbacks_total{use="throttles"}'] > losses
    assert samples['commerce_redis_errors_total{reason="TimeoutError"}'] >= losses
    assert samples['commerce_redis_errors_total{reason="ConnectionError"}'] >= losses
    statuses = {name: Counter(seen) for name, seen in running.statuses.items()}
    for name, counts in statuses.items():
        if name != "reset":
            assert set(counts) == {200 if name.startswith("living") else 401}, statuses
    assert set(statuses["reset"]) == {201, 429}
    assert LIMIT < statuses["reset"][201] <= (losses + 2) * LIMIT
