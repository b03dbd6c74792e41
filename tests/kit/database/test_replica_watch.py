"""When a read replica counts as current, from what was observed of it."""

import time
from math import inf

import pytest

from kit.database.replica_watch import ReplicaWatch


@pytest.fixture
def watch() -> ReplicaWatch:
    return ReplicaWatch("replica1")


def test_one_that_was_never_seen_has_nothing(watch: ReplicaWatch) -> None:
    assert not watch.has(0, max_lag=1e9)


def test_it_is_as_current_as_the_last_moment_whose_writes_it_has(watch: ReplicaWatch) -> None:
    watch.observe(100, 100, moment=10)
    assert watch.current_at == 10
    watch.observe(200, 150, moment=11)
    watch.observe(300, 199, moment=12)
    assert (watch.current_at, watch.replayed) == (10, 199)
    watch.observe(400, 300, moment=13)
    assert watch.current_at == 12
    watch.observe(400, 400, moment=14)
    assert watch.current_at == 14


def test_a_replica_may_be_ahead_of_what_was_asked_a_moment_before(watch: ReplicaWatch) -> None:
    watch.observe(100, 120, moment=10)
    assert watch.current_at == 10


def test_it_must_have_the_position_and_be_current(watch: ReplicaWatch) -> None:
    watch.observe(100, 100, moment=time.monotonic() - 5)
    assert watch.has(100, max_lag=60)
    assert not watch.has(101, max_lag=60)
    assert not watch.has(100, max_lag=4)


def test_one_that_is_left_out_returns_with_the_next_look(watch: ReplicaWatch) -> None:
    watch.observe(100, 100, moment=inf)
    watch.leave_out()
    assert not watch.has(0, max_lag=1e9)
    watch.observe(100, 100, moment=inf)
    assert watch.has(0, max_lag=1)
