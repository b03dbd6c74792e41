"""Lanes are permits, not threads: how many requests of a kind may hold a thread at a time, and how many may wait."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from kit.server.waiting import Waiting


class Kind(StrEnum):
    """What a request spends its time on: little, reading much, hashing a password, or waiting for a provider.

    PAGE builds many rows with their relations, as the pages of storefronts do. PROVIDER is one of payments, CARRIER one
    of shipping or taxes. CHECKOUT completes a cart, which may wait for a provider.
    """

    CHEAP = "cheap"
    PAGE = "page"
    EXPENSIVE = "expensive"
    HASH = "hash"
    PROVIDER = "provider"
    CARRIER = "carrier"
    CHECKOUT = "checkout"


@dataclass(eq=False, slots=True)
class Job:
    """A request that needs a thread.

    call: does the work; it must not raise. refuse: ends its wait without a thread. client: names who sent it; it is
    called for jobs that wait. number: the order of arrival. began: by the monotonic clock.
    is_relieved: whether a spare thread has stepped in for the one that it holds.
    """

    kind: Kind
    call: Callable[[], None]
    refuse: Callable[[], None]
    client: Callable[[], str]
    number: int = 0
    began: float = 0.0
    is_relieved: bool = False


@dataclass(slots=True)
class Lane:
    """most: how many jobs run at a time. waiting: how many jobs may wait. patience: for how many seconds."""

    most: int
    waiting: int
    patience: float
    running: int = 0
    queue: Waiting[Job] = field(default_factory=Waiting)


class Lanes:
    """The permits of a process with that many threads. Not thread-safe by itself: the pool calls it under its lock.

    Jobs of all kinds but CHEAP together leave one thread to the cheap ones.
    """

    def __init__(self, threads: int, *, expensive: int, hashes: int, provider_calls: int) -> None:
        self._slow_left = max(threads - 1, 1)
        self._numbers = 0
        self.lanes = {
            Kind.CHEAP: Lane(most=threads, waiting=2048, patience=60.0),
            Kind.PAGE: Lane(most=max(threads // 2, 1), waiting=2048, patience=60.0),
            Kind.EXPENSIVE: Lane(most=expensive, waiting=256, patience=20.0),
            Kind.HASH: Lane(most=hashes, waiting=256, patience=20.0),
            Kind.PROVIDER: Lane(most=provider_calls, waiting=128, patience=10.0),
            Kind.CARRIER: Lane(most=provider_calls, waiting=128, patience=10.0),
            Kind.CHECKOUT: Lane(most=max(threads // 2, 1), waiting=2048, patience=60.0),
        }

    def begin(self, job: Job) -> bool:
        """Take the permits that the job needs; False if there are none."""
        lane = self.lanes[job.kind]
        if lane.running >= lane.most or (job.kind is not Kind.CHEAP and not self._slow_left):
            return False
        lane.running += 1
        self._slow_left -= job.kind is not Kind.CHEAP
        return True

    def end(self, job: Job) -> None:
        """Return the permits."""
        self.lanes[job.kind].running -= 1
        self._slow_left += job.kind is not Kind.CHEAP

    def enqueue(self, job: Job, client: str) -> bool:
        """Queue the job of that client; False if its queue is full.

        In a full queue, it takes the place of a job whose client has more of them.
        """
        lane = self.lanes[job.kind]
        if len(lane.queue) >= lane.waiting:
            displaced = lane.queue.displaced_by(client)
            if displaced is None:
                return False
            lane.queue.remove(displaced)
            displaced.refuse()
        self._numbers += 1
        job.number = self._numbers
        lane.queue.add(job, client)
        return True

    def withdraw(self, job: Job) -> bool:
        """Take the job out of its queue; False if it has begun."""
        return self.lanes[job.kind].queue.remove(job)

    def next(self) -> Job | None:
        """Take the permits for a job that may run, and return it: of those whose turn it is, the earliest one."""
        turns = [job for lane in self.lanes.values() if (job := lane.queue.first())]
        for job in sorted(turns, key=_number):
            if self.begin(job):
                self.lanes[job.kind].queue.take(job)
                return job
        return None


def _number(job: Job) -> int:
    return job.number
