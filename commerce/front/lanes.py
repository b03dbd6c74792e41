"""Lanes are permits, not threads: how many requests of a kind may hold a thread at a time, and how many may wait."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What holds a request up: little, reading much, hashing a password, or a provider of payments or shipping."""

    CHEAP = "cheap"
    DEAR = "dear"
    HASH = "hash"
    PROVIDER = "provider"
    CARRIER = "carrier"


@dataclass(eq=False, slots=True)
class Job:
    """A request that needs a thread.

    call: does the work; it must not raise. number: in the order of arrival. began: by the monotonic clock.
    is_relieved: whether another thread has taken the place of the one that it holds.
    """

    kind: Kind
    call: Callable[[], None]
    number: int = 0
    began: float = 0.0
    is_relieved: bool = False


@dataclass(slots=True)
class Lane:
    """most: jobs that run at a time. waiting: jobs that may wait for it, and patience: for how many seconds."""

    most: int
    waiting: int
    patience: float
    running: int = 0
    queue: OrderedDict[Job, None] = field(default_factory=OrderedDict)


class Lanes:
    """The permits of a process with that many threads. Not thread-safe by itself: the pool calls it under its lock.

    Jobs of all kinds but CHEAP together leave one thread to the cheap ones.
    """

    def __init__(self, threads: int, *, dear: int, hashes: int, provider_calls: int) -> None:
        self._slow_left = max(threads - 1, 1)
        self._numbers = 0
        self.lanes = {
            Kind.CHEAP: Lane(most=threads, waiting=2048, patience=60.0),
            Kind.DEAR: Lane(most=dear, waiting=256, patience=20.0),
            Kind.HASH: Lane(most=hashes, waiting=256, patience=20.0),
            Kind.PROVIDER: Lane(most=provider_calls, waiting=128, patience=10.0),
            Kind.CARRIER: Lane(most=provider_calls, waiting=128, patience=10.0),
        }

    def begin(self, job: Job) -> bool:
        """Take the permits that the job needs; False where there are none."""
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

    def enqueue(self, job: Job) -> bool:
        """Let it wait; False where its queue is full."""
        lane = self.lanes[job.kind]
        if len(lane.queue) >= lane.waiting:
            return False
        self._numbers += 1
        job.number = self._numbers
        lane.queue[job] = None
        return True

    def withdraw(self, job: Job) -> bool:
        """Take it out of its queue; False where it does not wait, since it has begun."""
        return self.lanes[job.kind].queue.pop(job, False) is None

    def next(self) -> Job | None:
        """The job that has waited longest of those that may run, with its permits taken."""
        heads = [next(iter(lane.queue)) for lane in self.lanes.values() if lane.queue]
        for job in sorted(heads, key=_number):
            if self.begin(job):
                del self.lanes[job.kind].queue[job]
                return job
        return None


def _number(job: Job) -> int:
    return job.number
