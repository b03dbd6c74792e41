"""What the load test excuses, and what it reports."""

from typing import Any

import pytest

from tests.load.faults import Fault, Faults, spread
from tests.load.judging import judged

pytestmark = pytest.mark.once


@pytest.fixture
def faults() -> Faults:
    """A kill at 100 s, and a crash of PostgreSQL that lasts from 200 to 203 s."""
    happened = [Fault("web", 100.0, 100.0), Fault("PostgreSQL", 200.0, 203.0)]
    return Faults(server_pid=0, cluster=None, happened=happened)  # type: ignore[arg-type] - nothing is caused here


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
