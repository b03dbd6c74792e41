"""The files of exports that staff start: in settings.EXPORT_DIR, for a day. Source: orders.md 8.22."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from commerce.kit.core.timestamps import now
from commerce.kit.core.whole_files import whole_file

LIFETIME = timedelta(hours=24)
"""After this time, a file can no longer be downloaded, and `prune` deletes it."""


def path_of(job_id: str) -> Path:
    """The path of that job's file, which may not exist."""
    return _directory() / f"{job_id}.csv"


@contextmanager
def new_file(job_id: str) -> Iterator[BinaryIO]:
    """The file of that job (mode 0600, in a directory of mode 0700). It appears once it is complete."""
    _directory().mkdir(mode=0o700, parents=True, exist_ok=True)
    with whole_file(str(path_of(job_id))) as file:
        yield file


def discard_expired() -> int:
    """Delete files that have not been written to for a day, including partial files of killed workers."""
    expired = [path for path in _files() if _is_expired(path)]
    _delete(expired)
    return len(expired)


def discard_all() -> None:
    """Delete all files, for example after an erasure: they may contain the person's orders."""
    _delete(_files())


def _delete(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _directory() -> Path:
    return Path(settings.EXPORT_DIR)


def _files() -> list[Path]:
    directory = _directory()
    return [*directory.glob("*.csv"), *directory.glob("*.csv.*.part")]


def _is_expired(path: Path) -> bool:
    written = datetime.fromtimestamp(path.stat().st_mtime, tz=now().tzinfo)
    return written < now() - LIFETIME
