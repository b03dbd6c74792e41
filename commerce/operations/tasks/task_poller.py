"""Polls the table of tasks for all workers of the background process, so that an idle worker needs no connection.

A connection to SQLite holds the whole schema, 1.1 MB, and one to PostgreSQL a process of the server.
"""

from collections.abc import Collection
from threading import Condition, Event

from django.db import close_old_connections
from django_tasks_db.models import DBTaskResult

LOOK_SECONDS = 0.5


class TaskPoller:
    """Looks twice a second in which queues tasks wait."""

    def __init__(self) -> None:
        self._queues: frozenset[str] = frozenset()
        self._looked = Condition()

    def poll_until(self, stopped: Event) -> None:
        """Look until `stopped` is set. Raises database errors."""
        while not stopped.wait(LOOK_SECONDS):
            close_old_connections()
            waiting = DBTaskResult.objects.ready().order_by().values_list("queue_name", flat=True).distinct()
            found = frozenset(waiting)
            with self._looked:
                self._queues = found
                self._looked.notify_all()

    def wait_for_task(self, queues: Collection[str], stopped: Event) -> bool:
        """Wait until a task waits in one of the queues: True. False once `stopped` is set."""
        with self._looked:
            while not stopped.is_set():
                if self._looked.wait(LOOK_SECONDS) and not self._queues.isdisjoint(queues):
                    return True
        return False
