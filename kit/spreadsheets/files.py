"""The private files of imports and exports, for a day: in settings.EXPORT_DIR, mode 0600.

`.csv`, `.xlsx`: what was uploaded, or exported. `.plan`: what the preview has found, a line for each record.
`.undo`: a line for each record that was written, with the rows that take the change back.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from kit.commands.atomic_files import delete_expired, whole_file
from kit.errors import InvalidData, NotAllowed
from kit.spreadsheets.models import LIFETIME

CSV, XLSX = "csv", "xlsx"
"""The formats of files."""
TYPES = {CSV: "text/csv", XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}
MOST_BYTES = 64 * 1024 * 1024
_CHUNK = 1024 * 1024


class FileGone(NotAllowed):
    """Files live for a day, and are deleted when a person is erased."""

    message = "The file was deleted. Upload it again."


def format_of(name: str) -> str:
    """How a file of that name is to be written."""
    return XLSX if name.lower().endswith(".xlsx") else CSV


def path_of(id: str, suffix: str) -> Path:
    """The path of that import's or job's file, which may not exist."""
    return directory() / f"{id}.{suffix}"


@contextmanager
def new_file(id: str, suffix: str) -> Iterator[BinaryIO]:
    """A file that appears once it is complete. Raises FileGone if it was deleted meanwhile."""
    try:
        with whole_file(str(path_of(id, suffix))) as file:
            yield file
    except FileNotFoundError as error:
        raise FileGone("The file was deleted while it was written. Begin again.") from error


def store(id: str, suffix: str, file: BinaryIO) -> str:
    """Store what was uploaded. Returns its SHA-256. Raises InvalidData if it is too large."""
    size, digest = 0, sha256()
    with new_file(id, suffix) as stored:
        while chunk := file.read(_CHUNK):
            size += len(chunk)
            if size > MOST_BYTES:
                raise InvalidData(f"The file is larger than {MOST_BYTES // 1024 // 1024} MB. Split it.")
            digest.update(chunk)
            stored.write(chunk)
    return digest.hexdigest()


@contextmanager
def opened(id: str, suffix: str) -> Iterator[BinaryIO]:
    """The file, to be read. Raises FileGone."""
    try:
        file = path_of(id, suffix).open("rb")
    except FileNotFoundError as error:
        raise FileGone from error
    with file:
        yield file


def discard(id: str) -> None:
    """Delete all files of the import or job."""
    for path in directory().glob(f"{id}.*"):
        path.unlink(missing_ok=True)


def discard_source(id: str) -> None:
    """Delete the files that only an unfinished import needs: what was uploaded, and the plan."""
    for suffix in (CSV, XLSX, "plan"):
        path_of(id, suffix).unlink(missing_ok=True)


def discard_expired(kept: Collection[str] = ()) -> int:
    """Delete files that have not been written to for a day, also partial ones of killed processes.

    kept: the ids of imports whose files stay.
    """
    return delete_expired((path for path in [*directory().glob("*")] if path.stem not in kept), LIFETIME)


def directory() -> Path:
    """Where they lie; made if it is missing."""
    path = Path(settings.EXPORT_DIR) / "spreadsheets"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path
