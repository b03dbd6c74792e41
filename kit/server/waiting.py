"""A queue in which clients take turns: one that sends many requests waits for its own, and hardly delays the others."""

from collections import OrderedDict
from typing import Generic, TypeVar

Job = TypeVar("Job")


class Waiting(Generic[Job]):
    """Jobs by the clients that sent them; those of one client in the order of arrival."""

    def __init__(self) -> None:
        self._of: dict[Job, str] = {}
        self._turns: OrderedDict[str, OrderedDict[Job, None]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._of)

    def add(self, job: Job, client: str) -> None:
        """Queue the job as its client's last; a new client's turn comes after all others'."""
        self._of[job] = client
        self._turns.setdefault(client, OrderedDict())[job] = None

    def first(self) -> Job | None:
        """The job whose turn it is."""
        return next((next(iter(jobs)) for jobs in self._turns.values()), None)

    def take(self, job: Job) -> None:
        """Remove the first job to run it: its client's next turn comes after all others'."""
        client = self._of[job]
        self.remove(job)
        if client in self._turns:
            self._turns.move_to_end(client)

    def remove(self, job: Job) -> bool:
        """Remove a job; False if it does not wait."""
        client = self._of.pop(job, None)
        if client is None:
            return False
        jobs = self._turns[client]
        del jobs[job]
        if not jobs:
            del self._turns[client]
        return True

    def displaced_by(self, client: str) -> Job | None:
        """The newest job of the client that has the most, if that leaves it no fewer than this client then has."""
        most = max(self._turns.values(), key=len)
        own = len(self._turns.get(client, ()))
        return next(reversed(most)) if len(most) > own + 1 else None
