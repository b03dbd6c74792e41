"""Throttles in a Redis that is killed, restarted or silent: the limit holds within known bounds, and nobody waits."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from kit.database import redis_client
from kit.database.redis_client import NoAnswer, ask
from kit.errors import TooManyRequests, Unavailable
from kit.safety.throttling.counters import check, counted, hit, hit_each, reset
from kit.safety.throttling.models import Counter
from tests.concurrency.crowd import at_once
from tests.operations.redis_server import RedisServer, redis_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers("redis-server")]
LIMIT = 20
FOREVER = 10**9


@pytest.fixture
def redis(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisServer]:
    """Asked again at once, so that tests need not wait for the pause's end."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, (LIMIT, FOREVER)) | {"client_flood": (5, FOREVER)}
    monkeypatch.setattr(redis_client, "PAUSE_SECONDS", 0.0)
    with redis_for(settings, "THROTTLES_IN_REDIS") as server:
        yield server


def is_allowed(throttle: str = "order_transfers") -> bool:
    try:
        hit(throttle=throttle, subject="ann@example.com")
    except TooManyRequests:
        return False
    return True


def allowed(times: int, throttle: str = "order_transfers") -> int:
    return sum(is_allowed(throttle) for _ in range(times))


def test_parallel_attempts_are_counted_exactly(redis: RedisServer) -> None:
    outcomes = at_once(lambda _: allowed(5), threads=8)
    assert sum(outcomes) == LIMIT
    assert not Counter.objects.exists()


def test_attempts_are_counted_and_checked_without_a_statement(
    redis: RedisServer, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert allowed(LIMIT) == LIMIT
        with pytest.raises(TooManyRequests):
            check(throttle="order_transfers", subject="ann@example.com")


def test_an_attempt_that_one_throttle_refuses_counts_for_none(redis: RedisServer) -> None:
    subjects = {"order_transfers": "ann", "client_flood": "here"}
    for _ in range(5):
        hit_each(subjects)
    for _ in range(10):
        with pytest.raises(TooManyRequests):
            hit_each(subjects)
    with redis.client() as client:
        assert sorted(int(client.get(key) or 0) for key in client.scan_iter()) == [5, 5]


def test_an_attempt_that_the_server_had_no_room_for_counts_as_none(redis: RedisServer) -> None:
    for _ in range(10):
        with pytest.raises(Unavailable), counted({"client_flood": "ann@example.com"}):
            raise Unavailable("no room")
    assert allowed(10, "client_flood") == 5


def test_a_window_is_forgotten_after_its_end_and_shows_nothing(redis: RedisServer, settings: Settings) -> None:
    settings.THROTTLES = {"order_transfers": (LIMIT, 900)}
    assert is_allowed()
    with redis.client() as client:
        (key,) = client.keys()
        assert 0 < client.ttl(key) <= 900
        assert b"ann" not in key


@pytest.mark.parametrize("throttle", ["login_account", "login_account_daily", "registration"])
def test_guesses_at_passwords_are_counted_in_the_table_whatever_happens_to_redis(
    redis: RedisServer, throttle: str
) -> None:
    assert allowed(LIMIT - 1, throttle) == LIMIT - 1
    redis.kill()
    redis.start()
    assert allowed(LIMIT, throttle) == 1
    with redis.client() as client:
        assert client.keys() == []


def test_a_killed_redis_costs_one_more_limit_in_the_table_and_an_empty_one_another(redis: RedisServer) -> None:
    """The bound that docs/operators/services.md states."""
    assert allowed(2 * LIMIT) == LIMIT
    redis.kill()
    assert allowed(2 * LIMIT) == LIMIT
    redis.start()
    assert allowed(2 * LIMIT) == LIMIT
    redis.kill()
    assert allowed(2 * LIMIT) == 0
    assert Counter.objects.get().count == LIMIT


def test_a_silent_redis_costs_one_more_limit_and_none_when_it_answers_again(redis: RedisServer) -> None:
    assert allowed(2 * LIMIT) == LIMIT
    with redis.paused():
        assert allowed(LIMIT + 2) == LIMIT
    assert allowed(LIMIT) == 0


def test_a_late_answer_is_not_taken_for_the_next_ones(redis: RedisServer) -> None:
    with redis.client() as client:
        client.mset({"first": "1", "second": "2"})
    assert ask(lambda redis: redis.get("first"), use="tests") == b"1"
    with redis.paused(), pytest.raises(NoAnswer):
        ask(lambda redis: redis.get("first"), use="tests")
    assert [ask(lambda redis: redis.get("second"), use="tests") for _ in range(3)] == [b"2"] * 3


def test_a_reset_clears_both_stores(redis: RedisServer) -> None:
    assert allowed(2 * LIMIT) == LIMIT
    with redis.paused():
        assert allowed(LIMIT + 2) == LIMIT
    reset(throttle="order_transfers", subject="ann@example.com")
    assert allowed(2 * LIMIT) == LIMIT
    with redis.paused():
        assert allowed(2 * LIMIT) == LIMIT
