"""Files that programs send ahead of the import that takes them, each its owner's alone, for a day."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kit.domain.actor import Actor
from kit.errors import NotFound
from kit.spreadsheets import files

TYPES = {files.TYPES[files.CSV]: "csv", "application/vnd.ms-excel": "csv", files.TYPES[files.XLSX]: "xlsx"}
"""File suffixes by media type. Where Excel is installed, browsers send CSV as application/vnd.ms-excel."""
MOST = 3
"""Files that wait for an import of their owner; an earlier one is deleted."""
_KEY = re.compile(r"file_[0-9A-HJKMNP-TV-Z]{26}")


def keep(owner_id: str, key: str, file: BinaryIO) -> None:
    """Store the file under that key. Raises InvalidData if it is too large."""
    waiting = sorted(files.directory().glob(f"{owner_id}-file_*.sent"))  # by the time at which they were asked for
    for path in waiting[: 1 - MOST]:
        path.unlink(missing_ok=True)
    file.seek(0)
    files.store(f"{owner_id}-{key}", "sent", file)


@contextmanager
def taken(actor: Actor, key: str) -> Iterator[BinaryIO]:
    """The file, which is deleted after the block unless that fails.

    Raises NotFound for one of somebody else, and for one that another request has taken.
    """
    waiting = files.path_of(f"{actor.id}-{key}", "sent")
    own = waiting.with_suffix(".taken")
    if not _KEY.fullmatch(key) or not _is_renamed(waiting, own):
        raise NotFound("No file was sent under this 'file_key', or it was deleted. Send it again.")
    try:
        with own.open("rb") as file:
            yield file
    except BaseException:
        own.rename(waiting)
        raise
    own.unlink(missing_ok=True)


def _is_renamed(path: Path, new: Path) -> bool:
    """Whether this call has renamed it: only one can."""
    try:
        path.rename(new)
    except FileNotFoundError:
        return False
    return True
