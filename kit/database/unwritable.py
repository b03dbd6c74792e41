"""A database that answers and cannot store: its disk is full or fails, or it is read-only, as after a failover."""

import errno
import os
import shutil
import time
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, Error, connections

LEAST_FREE = 4 * 1024 * 1024
"""Bytes that SQLite needs: it copies as many at once from its log to the database."""
QUIET_SECONDS = 5.0
"""How long after a refused write the database may be ready again: a small row may fit where others do not."""

# Disk full, out of memory, read-only transaction, failed to read or write.
_STATES = frozenset({"53100", "53200", "25006", "58030"})
_SQLITE_ERRORS = ("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN")
_FILE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EIO})


def cannot_store(error: BaseException | None) -> bool:
    """Whether this error, of the database or of a file, says so."""
    if isinstance(error, OSError):
        return error.errno in _FILE_ERRORS
    cause = error.__cause__ if isinstance(error, Error) else None
    return getattr(cause, "sqlstate", None) in _STATES or getattr(cause, "sqlite_errorname", "").startswith(
        _SQLITE_ERRORS
    )


class RefusedWrites:
    """What this process knows of writes that the database refused."""

    def __init__(self) -> None:
        self._last: float | None = None

    def note(self) -> None:
        """A write was refused. The thread's next statement gets a new connection: another server may take writes."""
        self._last = time.monotonic()
        opened = connections[DEFAULT_DB_ALIAS]
        if not opened.in_atomic_block:
            opened.close()

    def are_known(self) -> bool:
        """Whether the last write that was tried was refused."""
        return self._last is not None

    def note_stored(self) -> None:
        """A row could be stored: the refusals are over, unless the last one is recent."""
        if self._last is not None and time.monotonic() - self._last >= QUIET_SECONDS:
            self._last = None


refused_writes = RefusedWrites()


def has_full_disk() -> bool:
    """Whether a database in a file has no room, or may not be written. Of PostgreSQL's disk, nothing is known here."""
    opened = connections[DEFAULT_DB_ALIAS]
    path = Path(opened.settings_dict["NAME"])
    if opened.vendor != "sqlite" or not path.is_file():
        return False
    return not os.access(path, os.W_OK) or shutil.disk_usage(path).free < LEAST_FREE
