"""The received files, in settings.UPLOAD_DIR until they are converted. They are never served."""

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import IO

from django.conf import settings

from kit.commands.atomic_files import delete_expired

PARTIAL = ".upload"
"""How names of files end that are being received."""
_LIFETIME = timedelta(hours=24)


def directory() -> Path:
    """The directory (mode 0700), which exists after this."""
    path = Path(settings.UPLOAD_DIR)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def path_of(digest: str) -> Path:
    """Where the received file with that hash is kept."""
    return directory() / f"{digest}.original"


def digest_of(file: IO[bytes]) -> str:
    """SHA-256 of the whole file, in hexadecimal."""
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


def keep(name: str, digest: str) -> None:
    """Keep the file of that name, which lies in the same directory, as the original with that hash."""
    with suppress(FileExistsError):
        os.link(name, path_of(digest))


def copy(path: Path, digest: str) -> None:
    """Store a copy of a file as the original with that hash."""
    with tempfile.NamedTemporaryFile(dir=directory(), suffix=PARTIAL) as copied:
        shutil.copyfile(path, copied.name)
        keep(copied.name, digest)


def discard_partial() -> int:
    """Delete what killed processes have left of files that they received a day ago; returns how many."""
    return delete_expired([*directory().glob(f"*{PARTIAL}")], _LIFETIME)


def discard(digest: str) -> None:
    """Delete the original, if it is there."""
    path_of(digest).unlink(missing_ok=True)
