"""The threads that answer requests: one pool for all lanes, so that none is reserved for one kind of request."""

import threading
import time
from queue import SimpleQueue

from kit.server.lanes import Job, Kind, Lanes

LONG_SECONDS = 1.0
"""A cheap job that runs for longer was misjudged: it waits for a lock, or reads more than expected."""

Inbox = SimpleQueue[Job | None]


class Pool:
    """Threads that run jobs as the lanes permit, and as many spare ones that step in for those held by long jobs.

    All of them live as long as the process, and their database connections with them.
    """

    def __init__(self, threads: int, lanes: Lanes) -> None:
        self._lanes = lanes
        self._lock = threading.Lock()
        self._inboxes: list[Inbox] = [SimpleQueue() for _ in range(2 * threads)]
        self._idle, self._spare = self._inboxes[:threads], self._inboxes[threads:]
        self._running: set[Job] = set()

    def start(self) -> None:
        """Start the threads."""
        for number, inbox in enumerate(self._inboxes, 1):
            threading.Thread(target=self._work, args=(inbox,), name=f"answers-{number}", daemon=True).start()

    def stop(self) -> None:
        """End each thread after the job that it runs."""
        for inbox in self._inboxes:
            inbox.put(None)

    def submit(self, job: Job) -> bool | None:
        """Run or queue the job. True: it runs. False: it waits. None: its queue is full, and nothing was done."""
        with self._lock:
            if self._began(job):
                return True
        client = job.client()  # without the lock: it may take a while, and all threads need the lock to go on
        with self._lock:
            if self._began(job):
                return True
            return False if self._lanes.enqueue(job, client) else None

    def _began(self, job: Job) -> bool:
        began = bool(self._idle) and self._lanes.begin(job)
        if began:
            self._hand_over(job)
        return began

    def withdraw(self, job: Job) -> bool:
        """Remove a waiting job; False if it has begun."""
        with self._lock:
            return self._lanes.withdraw(job)

    def relieve(self) -> None:
        """Let a spare thread step in for each cheap job that runs for long. Call this at intervals."""
        since = time.monotonic() - LONG_SECONDS
        with self._lock:
            for job in self._running:
                if self._spare and job.kind is Kind.CHEAP and job.began < since and not job.is_relieved:
                    job.is_relieved = True
                    self._lanes.end(job)
                    self._idle.append(self._spare.pop())
            self._hand_out()

    def _work(self, inbox: Inbox) -> None:
        while (job := inbox.get()) is not None:
            job.call()
            with self._lock:
                self._end(job, inbox)

    def _end(self, job: Job, inbox: Inbox) -> None:
        self._running.discard(job)
        if job.is_relieved:
            self._spare.append(inbox)
            return
        self._lanes.end(job)
        self._idle.append(inbox)
        self._hand_out()

    def _hand_out(self) -> None:
        """Start all jobs that may run now: the end of one can free permits for two."""
        while self._idle and (job := self._lanes.next()) is not None:
            self._hand_over(job)

    def _hand_over(self, job: Job) -> None:
        """Give the job to the thread that was busy last, whose connection and caches are warm."""
        job.began = time.monotonic()
        self._running.add(job)
        self._idle.pop().put(job)
