"""The last use of a key, to the minute: at most one small statement per request, and mostly none.

A request with a secret key writes its use itself. Uses of publishable keys are collected in memory and written by one
thread of the process, so that store requests never write. The last minute's are lost if the process dies.
"""

import os
import threading
import time
from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, connection
from django.db.models import Q

from apikeys.models import ApiKey
from kit.values.timestamps import now

PERIOD = timedelta(minutes=1)

_log = structlog.get_logger(__name__)


def stamp(key_id: str, moment: datetime) -> bool:
    """Write the time of use, unless the stored one is less than a minute older. Returns whether it was written."""
    due = Q(last_used_at=None) | Q(last_used_at__lte=moment - PERIOD)
    return bool(ApiKey.objects.filter(due, pk=key_id).update(last_used_at=moment))


class SecretKeyUses:
    """Writes uses, and remembers them for a minute, so that most requests of a busy key need no statement."""

    def __init__(self) -> None:
        self._stamped: dict[str, datetime] = {}

    def record_use(self, key_id: str) -> None:
        """Write the use if it is due. A database error is logged and does not fail the request."""
        moment = now()
        if key_id in self._stamped and moment - self._stamped[key_id] < PERIOD:
            return
        self._stamped[key_id] = moment
        try:
            stamp(key_id, moment)
        except DatabaseError as error:
            _log.warning("use_of_secret_key_not_written", key=key_id, error=str(error))


class PublishableKeyUses:
    """Collects uses in memory; a daemon thread, started at the first use, writes them periodically."""

    def __init__(self, *, every: timedelta = PERIOD) -> None:
        self._every = every
        self._begin()
        os.register_at_fork(after_in_child=self._begin)  # the child has no thread; the parent writes the collected uses

    def record_use(self, key_id: str) -> None:
        """Collect the use, without a statement."""
        self._pending[key_id] = now()
        if self._thread is None:
            self._start()

    def flush(self) -> None:
        """Write the collected uses on the caller's connection. Raises DatabaseError, and keeps the unwritten ones."""
        for key_id in sorted(self._pending):
            moment = self._pending.pop(key_id, None)
            if moment is None:  # another caller is writing it
                continue
            try:
                stamp(key_id, moment)
            except BaseException:
                self._pending.setdefault(key_id, moment)
                raise

    def _begin(self) -> None:
        self._pending: dict[str, datetime] = {}
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="publishable-key-uses", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(self._every.total_seconds())
            try:
                self.flush()
            except Exception as error:  # noqa: BLE001 - the thread must survive any error to retry
                _log.warning("uses_of_publishable_keys_not_written", error=str(error))
            finally:
                connection.close()


secret_keys = SecretKeyUses()
publishable_keys = PublishableKeyUses()
