"""The files of exports that staff start: in settings.EXPORT_DIR, for a day.

Why: docs/decisions/orders.md#files-of-exports-live-for-a-day.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from kit.commands.atomic_files import delete_expired, whole_file
from kit.errors import NotAllowed

LIFETIME = timedelta(hours=24)
"""After this time, a file can no longer be downloaded, and `prune` deletes it."""

_PATTERNS = ("*.csv.*.part", "*.csv")


class FileDeleted(NotAllowed):
    """The partial file of a running export was deleted."""

    message = "The file was deleted because a person was erased; start the export again."


def path_of(job_id: str) -> Path:
    """The path of that job's file, which may not exist."""
    return _directory() / f"{job_id}.csv"


@contextmanager
def new_file(job_id: str) -> Iterator[BinaryIO]:
    """The file of that job (mode 0600, in a directory of mode 0700). It appears once it is complete.

    Raises FileDeleted.
    """
    _directory().mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with whole_file(str(path_of(job_id))) as file:
            yield file
    except FileNotFoundError as error:
        raise FileDeleted from error


def discard(job_id: str) -> None:
    """Delete the finished file of that job, if there is one."""
    path_of(job_id).unlink(missing_ok=True)


def discard_expired() -> int:
    """Delete files that have not been written to for a day, including partial files of killed workers."""
    return sum(delete_expired(_files(pattern), LIFETIME) for pattern in _PATTERNS)


def discard_all() -> None:
    """Delete all files, for example after an erasure: they may contain the person's orders.

    Partial files first: one that is completed meanwhile is found afterwards.
    """
    for pattern in _PATTERNS:
        for path in _files(pattern):
            path.unlink(missing_ok=True)


def _directory() -> Path:
    return Path(settings.EXPORT_DIR)


def _files(pattern: str) -> list[Path]:
    return list(_directory().glob(pattern))
