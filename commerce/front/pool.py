"""The threads that answer requests: one pool for all lanes, so that no thread and no connection idles for a kind."""

import threading
from queue import SimpleQueue

from commerce.front.lanes import Job, Lanes

Inbox = SimpleQueue[Job | None]


class Pool:
    """Threads that take jobs as the lanes permit. They live as long as the process, and their connections with them."""

    def __init__(self, threads: int, lanes: Lanes) -> None:
        self._lanes = lanes
        self._lock = threading.Lock()
        self._inboxes: list[Inbox] = [SimpleQueue() for _ in range(threads)]
        self._idle = list(self._inboxes)

    def start(self) -> None:
        """Start the threads."""
        for number, inbox in enumerate(self._inboxes, 1):
            threading.Thread(target=self._work, args=(inbox,), name=f"answers-{number}", daemon=True).start()

    def stop(self) -> None:
        """End each thread with the job that it runs."""
        for inbox in self._inboxes:
            inbox.put(None)

    def submit(self, job: Job) -> bool | None:
        """True: it runs. False: it waits. None: its queue is full, and nothing was done."""
        with self._lock:
            if self._idle and self._lanes.begin(job):
                self._idle.pop().put(job)  # the one that was busy last: its connection and caches are warm
                return True
            return False if self._lanes.enqueue(job) else None

    def withdraw(self, job: Job) -> bool:
        """Take a waiting job back; False where it has begun."""
        with self._lock:
            return self._lanes.withdraw(job)

    def _work(self, inbox: Inbox) -> None:
        job = inbox.get()
        while job is not None:
            job.call()
            job = self._following(job, inbox) or inbox.get()

    def _following(self, ended: Job, inbox: Inbox) -> Job | None:
        """The next job for that thread, which is idle otherwise; one end may free permits for a second job."""
        with self._lock:
            self._lanes.end(ended)
            job = self._lanes.next()
            if job is None:
                self._idle.append(inbox)
                return None
            while self._idle and (other := self._lanes.next()) is not None:
                self._idle.pop().put(other)
            return job
