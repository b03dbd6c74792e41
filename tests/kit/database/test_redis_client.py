"""While Redis does not answer, one request a second waits for it and all others go on at once."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import REGISTRY
from redis import Redis
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as TimedOut

from kit.database import redis_client
from kit.database.redis_client import PAUSE_SECONDS, CircuitBreaker, NoAnswer, circuit_breaker
from kit.observability import metering

pytestmark = pytest.mark.once
Clock = Callable[[float], None]


class Command:
    """Fails while it has an error; counts how often it was called."""

    def __init__(self) -> None:
        self.calls = 0
        self.error: Exception | None = None

    def __call__(self, redis: Any) -> int:
        self.calls += 1
        if self.error:
            raise self.error
        return 7


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Sets the seconds since the test began."""
    moment = [0.0]
    monkeypatch.setattr(redis_client, "time", SimpleNamespace(monotonic=lambda: 1000 + moment[0]))
    return lambda seconds: moment.__setitem__(0, seconds)


@pytest.fixture
def command() -> Command:
    return Command()


@pytest.fixture
def ask(command: Command) -> Callable[[], int | None]:
    link = CircuitBreaker(Redis())

    def asked() -> int | None:
        try:
            return link.ask(command, use="tests")
        except NoAnswer:
            return None

    return asked


@pytest.mark.parametrize("error", [NoConnection, TimedOut, ResponseError])
def test_after_an_error_nobody_asks_for_a_pause_then_again_and_again(
    clock: Clock, command: Command, ask: Callable[[], int | None], error: type[Exception]
) -> None:
    assert ask() == 7
    command.error = error()
    assert [ask() for _ in range(3)] == [None] * 3
    assert command.calls == 2
    clock(PAUSE_SECONDS)
    assert [ask() for _ in range(3)] == [None] * 3
    assert command.calls == 3
    clock(2 * PAUSE_SECONDS)
    command.error = None
    assert [ask() for _ in range(3)] == [7] * 3


def test_while_one_tries_again_no_other_waits_beside_it(clock: Clock) -> None:
    link, meanwhile = CircuitBreaker(Redis()), []

    def slow(redis: Redis) -> None:
        with pytest.raises(NoAnswer):
            link.ask(lambda redis: meanwhile.append(1), use="tests")
        raise TimedOut

    with pytest.raises(NoAnswer):
        link.ask(failing(), use="tests")
    clock(PAUSE_SECONDS)
    with pytest.raises(NoAnswer):
        link.ask(slow, use="tests")
    assert meanwhile == []


def failing() -> Command:
    command = Command()
    command.error = NoConnection()
    return command


def test_errors_and_fallbacks_are_counted(
    clock: Clock, command: Command, ask: Callable[[], int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metering, "IS_ON", True)

    def samples() -> tuple[float, float]:
        errors = REGISTRY.get_sample_value("commerce_redis_errors_total", {"reason": "TimeoutError"})
        return errors or 0, REGISTRY.get_sample_value("commerce_redis_fallbacks_total", {"use": "tests"}) or 0

    errors, fallbacks = samples()
    command.error = TimedOut()
    for _ in range(3):
        ask()
    assert samples() == (errors + 1, fallbacks + 3)


def test_redis_has_a_tenth_of_a_second_and_is_asked_once(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    circuit_breaker.cache_clear()
    given = circuit_breaker()._redis.connection_pool.connection_kwargs
    circuit_breaker.cache_clear()
    assert (given["socket_timeout"], given["socket_connect_timeout"]) == (0.1, 0.1)
    assert given["retry"].get_retries() == 0
