"""Threads and the jobs that they take."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from kit.server import pool as pool_module
from kit.server.lanes import Job, Kind, Lanes
from kit.server.pool import Pool

pytestmark = pytest.mark.once
PATIENCE = 20.0


def waiting_job(kind: Kind, call: Callable[[], None]) -> Job:
    return Job(kind, call, refuse=lambda: None, client=lambda: "")


class Held:
    """Jobs that run until they are released; `begun` counts those that had a thread."""

    def __init__(self) -> None:
        self.begun: Counter[Kind] = Counter()
        self._changed = threading.Condition()
        self._go = threading.Event()

    def job(self, kind: Kind) -> Job:
        def call() -> None:
            with self._changed:
                self.begun[kind] += 1
                self._changed.notify_all()
            assert self._go.wait(PATIENCE)

        return waiting_job(kind, call)

    def wait_for(self, **expected: int) -> None:
        wanted = {Kind(kind): number for kind, number in expected.items()}
        with self._changed:
            assert self._changed.wait_for(lambda: self.begun == wanted, PATIENCE), self.begun

    def let_go(self) -> None:
        self._go.set()


@contextmanager
def pool_of(threads: int) -> Iterator[Pool]:
    pool = Pool(threads, Lanes(threads, expensive=2, hashes=2, provider_calls=2))
    pool.start()
    try:
        yield pool
    finally:
        pool.stop()


def test_slow_jobs_that_wait_hold_no_thread() -> None:
    held, quick = Held(), threading.Event()
    with pool_of(4) as pool:
        for kind in (Kind.EXPENSIVE, Kind.HASH, Kind.PROVIDER):
            for _ in range(10):
                pool.submit(held.job(kind))
        held.wait_for(expensive=2, hash=1)
        assert pool.submit(waiting_job(Kind.CHEAP, quick.set)) is True
        assert quick.wait(PATIENCE)
        held.let_go()
        held.wait_for(expensive=10, hash=10, provider=10)


def test_a_job_that_found_all_threads_busy_runs_when_one_is_free() -> None:
    held = Held()
    with pool_of(2) as pool:
        assert [pool.submit(held.job(Kind.CHEAP)) for _ in range(3)] == [True, True, False]
        held.wait_for(cheap=2)
        held.let_go()
        held.wait_for(cheap=3)


def test_a_client_is_identified_outside_the_lock_and_only_if_it_waits() -> None:
    """Identifying may write to the log; under the lock, no thread could begin or end a job meanwhile."""
    held, asked, ran = Held(), [], threading.Event()

    def client() -> str:
        asked.append("waits")
        held.let_go()
        assert pool.submit(waiting_job(Kind.CHEAP, ran.set)) is not None
        assert ran.wait(PATIENCE)
        return "client"

    with pool_of(1) as pool:
        assert pool.submit(Job(Kind.CHEAP, held.job(Kind.CHEAP).call, refuse=lambda: None, client=client)) is True
        held.wait_for(cheap=1)
        late = threading.Event()
        answers = []
        submitting = threading.Thread(
            target=lambda: answers.append(pool.submit(Job(Kind.CHEAP, late.set, lambda: None, client))), daemon=True
        )
        submitting.start()
        submitting.join(PATIENCE)
        assert late.wait(PATIENCE)
    assert (answers, asked) == ([True], ["waits"])


def test_what_is_withdrawn_while_it_waits_never_runs() -> None:
    held = Held()
    with pool_of(1) as pool:
        running, waiting = held.job(Kind.CHEAP), held.job(Kind.CHEAP)
        pool.submit(running)
        pool.submit(waiting)
        assert pool.withdraw(waiting)
        assert not pool.withdraw(running)
        last = threading.Event()
        pool.submit(waiting_job(Kind.CHEAP, last.set))
        held.let_go()
        assert last.wait(PATIENCE)
    assert held.begun[Kind.CHEAP] == 1


def test_a_full_queue_refuses() -> None:
    held = Held()
    with pool_of(1) as pool:
        pool.submit(held.job(Kind.HASH))
        answers = {pool.submit(held.job(Kind.HASH)) for _ in range(257)}
        held.let_go()
    assert answers == {False, None}


def test_spare_threads_step_in_for_cheap_jobs_that_run_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "LONG_SECONDS", 0.0)
    held, quick, last = Held(), threading.Event(), threading.Event()
    with pool_of(2) as pool:
        for _ in range(2):
            pool.submit(held.job(Kind.CHEAP))
        held.wait_for(cheap=2)
        assert pool.submit(waiting_job(Kind.CHEAP, quick.set)) is False
        assert not quick.is_set()
        pool.relieve()
        assert quick.wait(PATIENCE)
        for _ in range(3):
            pool.submit(held.job(Kind.CHEAP))
        held.wait_for(cheap=4)
        pool.relieve()  # no thread is spare any more
        held.let_go()
        held.wait_for(cheap=5)
        assert pool.submit(waiting_job(Kind.CHEAP, last.set)) is not None
        assert last.wait(PATIENCE)


def test_slow_jobs_are_not_relieved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "LONG_SECONDS", 0.0)
    held = Held()
    with pool_of(4) as pool:
        for _ in range(3):
            pool.submit(held.job(Kind.EXPENSIVE))
        held.wait_for(expensive=2)
        pool.relieve()
        assert pool.submit(held.job(Kind.CHEAP)) is True
        held.wait_for(expensive=2, cheap=1)
        held.let_go()


def test_one_end_can_free_two_waiting_jobs() -> None:
    """A provider call holds the last slow permit while a expensive job and a cheap one wait, and a thread idles."""
    held, provider = Held(), Held()
    with pool_of(3) as pool:
        pool.submit(provider.job(Kind.PROVIDER))
        pool.submit(held.job(Kind.EXPENSIVE))
        assert pool.submit(held.job(Kind.EXPENSIVE)) is False
        assert pool.submit(held.job(Kind.HASH)) is False
        held.wait_for(expensive=1)
        provider.let_go()
        held.wait_for(expensive=2)
        held.let_go()
        held.wait_for(expensive=2, hash=1)
