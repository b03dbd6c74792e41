"""What the load test excuses, and what it reports."""

from typing import Any

import pytest

from tests.load.faults import SETTLED, Fault, Faults, spread
from tests.load.judging import judged, judged_server

pytestmark = pytest.mark.once


@pytest.fixture
def faults() -> Faults:
    """A kill at 100 s, and a crash of PostgreSQL that lasts from 200 to 203 s."""
    happened = [Fault("web", 100.0, 100.0), Fault("PostgreSQL", 200.0, 203.0)]
    return Faults(server_pids=[0], cluster=None, happened=happened)  # type: ignore[arg-type] - nothing is caused here


def request(status: int, at: float) -> dict[str, Any]:
    return {"at": at, "method": "GET", "name": "/store/carts", "ms": 5.0, "status": status, "body": "why"}


@pytest.mark.parametrize("at", [100.0, 105.0, 200.0, 203.0, 208.0])
@pytest.mark.parametrize("status", [0, 503])
def test_a_fault_excuses_no_answer_for_five_seconds(faults: Faults, status: int, at: float) -> None:
    assert list(judged([request(status, at)], faults)) == []


@pytest.mark.parametrize("at", [99.9, 105.1, 199.9, 208.1])
@pytest.mark.parametrize("status", [0, 503])
def test_at_any_other_time_it_is_reported(faults: Faults, status: int, at: float) -> None:
    assert list(judged([request(status, at)], faults)) == [f"GET /store/carts: {status} why"]


@pytest.mark.parametrize("status", [400, 404, 429, 500, 502])
def test_other_errors_are_reported_at_any_time(faults: Faults, status: int) -> None:
    assert list(judged([request(status, 101.0)], faults)) == [f"GET /store/carts: {status} why"]


def test_a_completion_that_gives_no_order_is_reported(faults: Faults) -> None:
    lines = [{"cart": "cart_1", "type": "order"}, {"cart": "cart_2", "type": "cart"}]
    assert list(judged(lines, faults)) == ["Cart cart_2 was answered cart"]


def test_faults_begin_after_two_of_ten_minutes_and_postgresql_restarts_once() -> None:
    moments = list(spread(20, 600.0))
    assert [len(moments), moments[0][0] > 120, moments[-1][0] < 570] == [21, True, True]
    assert [is_database for _, is_database in moments].count(True) == 1


@pytest.mark.parametrize(("at_the_end", "wrong"), [(150.0, 0), (220.0, 0), (220.5, 1)])
def test_memory_may_grow_by_a_tenth_from_minute_two_to_the_end(faults: Faults, at_the_end: float, wrong: int) -> None:
    assert SETTLED * 600 == 120
    assert len(list(judged_server(200.0, at_the_end, faults, kills=0))) == wrong


def test_what_grew_and_kills_that_did_not_happen_are_named(faults: Faults) -> None:
    faults.killed = 19
    assert list(judged_server(200.0, 240.0, faults, kills=20)) == [
        "Memory grew from 200 to 240 MB, by more than a tenth",
        "Only 19 of 20 processes were killed",
    ]
