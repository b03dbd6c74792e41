"""Throttles: what is counted, when it is refused, and what a thief of the table learns."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from kit.errors import TooManyRequests
from kit.safety.throttling import counters, windows
from kit.safety.throttling.counters import charge, check, discard_expired, hit, hit_each, reset
from kit.safety.throttling.models import Counter
from tests.concurrency.crowd import at_once
from tests.operations.redis_server import redis_for

NOON = 1_795_262_400.9  # a window of 60 s has begun in this very second


@pytest.fixture(autouse=True)
def limits(settings: Settings) -> None:
    settings.THROTTLES = {"order_transfers": (3, 60), "client_flood": (5, 60)}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the time; noon to begin with."""
    moment = [NOON]
    for module in (counters, windows):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: moment[0]))
    return lambda seconds: moment.__setitem__(0, NOON + seconds)


@pytest.fixture(params=["table", pytest.param("redis", marks=pytest.mark.servers("redis-server"))])
def counted_in(request: pytest.FixtureRequest, settings: Settings, db: None) -> Iterator[str]:
    """Either place."""
    with redis_for(settings, "THROTTLES_IN_REDIS") if request.param == "redis" else nullcontext():
        yield str(request.param)


@pytest.mark.usefixtures("counted_in")
def test_the_attempt_beyond_the_limit_is_refused_with_the_seconds_left(clock: Callable[[float], None]) -> None:
    for _ in range(3):
        hit(throttle="order_transfers", subject="ann@example.com")
    clock(45)
    with pytest.raises(TooManyRequests, match=r"^Too many attempts, try again later$") as refusal:
        hit(throttle="order_transfers", subject="ann@example.com")
    assert (refusal.value.retry_after, refusal.value.type) == (15, "not_allowed")


@pytest.mark.usefixtures("counted_in")
def test_refused_attempts_count_until_the_window_ends_and_then_all_are_allowed_again(
    clock: Callable[[float], None],
) -> None:
    for second in range(3):
        clock(second)
        hit(throttle="order_transfers", subject="ann@example.com")
    for second in (3, 59):
        clock(second)
        with pytest.raises(TooManyRequests):
            hit(throttle="order_transfers", subject="ann@example.com")
    clock(60)
    for _ in range(3):
        hit(throttle="order_transfers", subject="ann@example.com")
    with pytest.raises(TooManyRequests) as refusal:
        hit(throttle="order_transfers", subject="ann@example.com")
    assert refusal.value.retry_after == 60


@pytest.mark.usefixtures("counted_in")
def test_one_who_has_used_up_the_limit_is_refused_by_a_check_that_counts_nothing(
    clock: Callable[[float], None],
) -> None:
    for _ in range(3):
        for _ in range(5):
            check(throttle="order_transfers", subject="ann@example.com")
        hit(throttle="order_transfers", subject="ann@example.com")
    clock(45)
    with pytest.raises(TooManyRequests, match=r"^Too many attempts, try again later$") as refusal:
        check(throttle="order_transfers", subject="ann@example.com")
    assert refusal.value.retry_after == 15
    check(throttle="client_flood", subject="ann@example.com")
    check(throttle="order_transfers", subject="bob@example.com")
    clock(60)
    check(throttle="order_transfers", subject="ann@example.com")


def test_a_check_is_one_statement(db: None) -> None:
    with CaptureQueriesContext(connection) as seen:
        check(throttle="order_transfers", subject="ann@example.com")
    assert len(seen) == 1
    assert not Counter.objects.exists()


@pytest.mark.usefixtures("counted_in", "clock")
def test_subjects_and_throttles_are_counted_apart() -> None:
    for _ in range(3):
        hit(throttle="order_transfers", subject="ann@example.com")
    hit(throttle="order_transfers", subject="bob@example.com")
    for _ in range(5):
        hit(throttle="client_flood", subject="ann@example.com")


@pytest.mark.usefixtures("counted_in", "clock")
def test_several_attempts_count_together_or_not_at_all() -> None:
    both = {"order_transfers": "ann@example.com", "client_flood": "192.0.2.1"}

    def refused(**amounts: int) -> bool:
        try:
            hit_each({name: both[name] for name in amounts}, amounts)
        except TooManyRequests as refusal:
            return refusal.retry_after == 60
        return False

    assert refused(order_transfers=4)  # more than the limit: never
    assert not refused(order_transfers=2, client_flood=1)
    assert refused(order_transfers=2, client_flood=1)
    assert refused(order_transfers=1, client_flood=5)
    assert not refused(order_transfers=1, client_flood=4)
    assert refused(client_flood=1)
    assert refused(order_transfers=1)


@pytest.mark.usefixtures("counted_in")
def test_what_is_done_already_counts_beyond_the_limit_until_the_window_ends(clock: Callable[[float], None]) -> None:
    charge({"order_transfers": "ann@example.com"}, {"order_transfers": 70})
    with pytest.raises(TooManyRequests):
        hit(throttle="order_transfers", subject="ann@example.com")
    clock(60)
    hit(throttle="order_transfers", subject="ann@example.com")


def test_two_windows_are_counted_by_one_statement(db: None) -> None:
    with CaptureQueriesContext(connection) as seen:
        hit_each({"order_transfers": "ann@example.com", "client_flood": "192.0.2.1"}, {"client_flood": 5})
    assert len([each for each in seen if each["sql"].strip().startswith("INSERT")]) == 1
    assert sorted(Counter.objects.values_list("count", flat=True)) == [1, 5]


@pytest.mark.usefixtures("counted_in", "clock")
def test_a_success_clears_the_count_of_its_subject_alone() -> None:
    for subject in ("ann@example.com", "bob@example.com"):
        for _ in range(3):
            hit(throttle="order_transfers", subject=subject)
    reset(throttle="order_transfers", subject="ann@example.com")
    hit(throttle="order_transfers", subject="ann@example.com")
    with pytest.raises(TooManyRequests):
        hit(throttle="order_transfers", subject="bob@example.com")


def test_the_place_of_counting_follows_the_setting(counted_in: str) -> None:
    hit(throttle="order_transfers", subject="ann@example.com")
    assert Counter.objects.count() == (1 if counted_in == "table" else 0)


@pytest.mark.django_db
def test_a_stolen_table_cannot_be_compared_with_guesses(settings: Settings) -> None:
    hit(throttle="order_transfers", subject="ann@example.com")
    (known,) = Counter.objects.values_list("digest", flat=True)
    assert "ann" not in known
    settings.SECRET_KEY = "another secret, without which the same subject has another digest"
    hit(throttle="order_transfers", subject="ann@example.com")
    assert Counter.objects.exclude(pk=known).count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_count_inside_the_works_transaction_is_a_programming_error() -> None:
    with pytest.raises(RuntimeError, match="durable"), transaction.atomic():
        hit(throttle="order_transfers", subject="ann@example.com")
    assert Counter.objects.count() == 0


@pytest.mark.django_db
def test_only_counters_whose_window_is_over_are_discarded(clock: Callable[[float], None]) -> None:
    hit(throttle="order_transfers", subject="ann@example.com")
    clock(59)
    hit(throttle="order_transfers", subject="bob@example.com")
    assert discard_expired() == 0
    clock(60)
    hit(throttle="order_transfers", subject="bob@example.com")
    assert discard_expired() == 1
    assert Counter.objects.get().window_end == NOON // 1 + 120


@pytest.mark.django_db(transaction=True)
def test_parallel_attempts_are_counted_exactly(settings: Settings) -> None:
    settings.THROTTLES = {"order_transfers": (20, 10**9)}

    def attempt(_: int) -> list[bool]:
        return [is_allowed() for _ in range(5)]

    outcomes = [allowed for attempts in at_once(attempt, threads=8) for allowed in attempts]
    assert (outcomes.count(True), outcomes.count(False)) == (20, 20)
    assert Counter.objects.get().count == 20


def is_allowed() -> bool:
    try:
        hit(throttle="order_transfers", subject="ann@example.com")
    except TooManyRequests:
        return False
    return True
