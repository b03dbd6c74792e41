"""Permits: how many jobs of a kind run, which one is next, and what a full queue does."""

from collections.abc import Callable
from functools import partial

import pytest

from kit.server.lanes import Job, Kind, Lanes

pytestmark = pytest.mark.once
SLOW = [Kind.PAGE, Kind.EXPENSIVE, Kind.HASH, Kind.PROVIDER, Kind.CARRIER, Kind.CHECKOUT]


@pytest.fixture
def lanes() -> Lanes:
    return Lanes(4, expensive=2, hashes=2, provider_calls=2)


def job(kind: Kind, client: str = "", *, refuse: Callable[[], None] = lambda: None) -> Job:
    return Job(kind, lambda: None, refuse, lambda: client)


def enqueue(lanes: Lanes, waiting: Job) -> bool:
    return lanes.enqueue(waiting, waiting.client())


def begun(lanes: Lanes, *kinds: Kind) -> list[bool]:
    return [lanes.begin(job(kind)) for kind in kinds]


@pytest.mark.parametrize("kind", SLOW)
def test_each_slow_kind_holds_half_of_the_threads_at_most(lanes: Lanes, kind: Kind) -> None:
    assert begun(lanes, kind, kind, kind) == [True, True, False]


def test_all_slow_kinds_together_leave_a_thread_to_the_cheap_one(lanes: Lanes) -> None:
    assert begun(lanes, Kind.EXPENSIVE, Kind.HASH, Kind.PROVIDER) == [True, True, True]
    assert begun(lanes, *SLOW, Kind.CHEAP, Kind.CHEAP) == [False] * len(SLOW) + [True, True]


def test_pages_of_rows_and_searches_leave_each_other_a_thread(lanes: Lanes) -> None:
    assert begun(lanes, Kind.EXPENSIVE, Kind.EXPENSIVE, Kind.PAGE, Kind.CHEAP) == [True] * 4


def test_payments_that_hang_leave_a_thread_to_those_who_choose_how_to_ship(lanes: Lanes) -> None:
    assert begun(lanes, Kind.PROVIDER, Kind.PROVIDER, Kind.PROVIDER) == [True, True, False]
    assert begun(lanes, Kind.CARRIER, Kind.CHEAP) == [True, True]


def test_cheap_jobs_may_hold_all_threads(lanes: Lanes) -> None:
    assert begun(lanes, *[Kind.CHEAP] * 5) == [True, True, True, True, False]


def test_an_end_gives_the_permits_to_another(lanes: Lanes) -> None:
    first, second, third = (job(Kind.EXPENSIVE) for _ in range(3))
    assert lanes.begin(first)
    assert lanes.begin(second)
    enqueue(lanes, third)
    assert lanes.next() is None
    lanes.end(first)
    assert lanes.next() is third
    assert lanes.next() is None


def test_the_oldest_job_that_may_run_is_next_whatever_its_kind(lanes: Lanes) -> None:
    begun(lanes, Kind.EXPENSIVE, Kind.EXPENSIVE)
    expensive, login, cheap = job(Kind.EXPENSIVE), job(Kind.HASH), job(Kind.CHEAP)
    for waiting in (expensive, login, cheap):
        enqueue(lanes, waiting)
    assert [lanes.next(), lanes.next(), lanes.next()] == [login, cheap, None]


def test_a_full_queue_takes_no_more_and_leaves_the_others_open(lanes: Lanes) -> None:
    most = lanes.lanes[Kind.EXPENSIVE].waiting
    assert all(enqueue(lanes, job(Kind.EXPENSIVE)) for _ in range(most))
    assert not enqueue(lanes, job(Kind.EXPENSIVE))
    assert enqueue(lanes, job(Kind.CHEAP))


def test_clients_take_turns(lanes: Lanes) -> None:
    """One that sends many searches delays another by one of them."""
    many = [job(Kind.EXPENSIVE, "many") for _ in range(5)]
    few = [job(Kind.EXPENSIVE, "few") for _ in range(2)]
    for waiting in (*many, *few):
        enqueue(lanes, waiting)
    assert lanes.withdraw(many[1])
    served = []
    while found := lanes.next():
        served.append(found)
        lanes.end(found)
    assert served == [many[0], few[0], many[2], few[1], many[3], many[4]]


def test_in_a_full_queue_the_newest_of_whom_has_most_gives_way(lanes: Lanes) -> None:
    refused = list[int]()
    most = lanes.lanes[Kind.HASH].waiting
    for number in range(most):
        assert enqueue(lanes, job(Kind.HASH, "many", refuse=partial(refused.append, number)))
    assert not enqueue(lanes, job(Kind.HASH, "many"))
    few = [job(Kind.HASH, "few") for _ in range(most)]
    assert [enqueue(lanes, waiting) for waiting in few] == [True] * (most // 2) + [False] * (most // 2)
    assert refused == [*range(most - 1, most // 2 - 1, -1)]
    assert len(lanes.lanes[Kind.HASH].queue) == most


def test_a_hundred_storefront_pages_of_ten_requests_find_room() -> None:
    lanes = Lanes(4, expensive=2, hashes=2, provider_calls=2)
    assert all(enqueue(lanes, job(Kind.CHEAP)) for _ in range(100 * 10))
    assert all(enqueue(lanes, job(Kind.PAGE)) for _ in range(100 * 10))
    assert all(enqueue(lanes, job(Kind.EXPENSIVE)) for _ in range(100))


def test_a_thousand_shoppers_who_complete_their_carts_find_room(lanes: Lanes) -> None:
    assert all(enqueue(lanes, job(Kind.CHECKOUT)) for _ in range(1000))


def test_what_is_withdrawn_never_runs_and_makes_room(lanes: Lanes) -> None:
    left, stays = job(Kind.EXPENSIVE), job(Kind.EXPENSIVE)
    enqueue(lanes, left)
    enqueue(lanes, stays)
    assert lanes.withdraw(left)
    assert not lanes.withdraw(left)
    assert lanes.next() is stays
    assert not lanes.withdraw(stays)
