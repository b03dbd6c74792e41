"""The files of a backup: pictures, and received files that are not converted yet."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from commerce.kit.core.whole_files import whole_file
from commerce.operations.backups.archive import Reader, Writer, chunks_of
from commerce.operations.backups.progress import Advance
from commerce.operations.backups.refusal import BackupRefused
from commerce.pictures import originals

MEDIA, UPLOADS = "media", "uploads"
_MODES = {MEDIA: 0o644, UPLOADS: 0o600}  # a proxy of another user may serve pictures
_PATTERNS = {MEDIA: "**/*", UPLOADS: "*.original"}


def size(folder: str) -> int:
    """The number of bytes in that folder."""
    return sum(path.stat().st_size for path in _files(folder))


def add(archive: Writer, folder: str, advance: Advance) -> None:
    """Add the folder's files that the backup does not have yet. A file that is deleted meanwhile is left out."""
    for path in _files(folder):
        name = f"{folder}/{path.relative_to(_root(folder)).as_posix()}"
        if name in archive.members:
            continue
        with suppress(FileNotFoundError), path.open("rb") as file:
            archive.add(name, chunks_of(file), is_compressed=True)
            advance(file.tell())


def require_no_others(archive: Reader) -> None:
    """Raise BackupRefused if a file of the backup would replace one with another content."""
    for folder in (MEDIA, UPLOADS):
        for name in archive.names(folder):
            path = _path(name)
            if path.exists() and not _is_same(path, archive.chunks(name)):
                raise BackupRefused(
                    f"{path} differs from the file in the backup: restore into empty folders, or use --force."
                )


def extract(archive: Reader, advance: Advance) -> int:
    """Write the files of both folders; returns how many."""
    names = [*archive.names(MEDIA), *archive.names(UPLOADS)]
    for name in names:
        path = _path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(str(path)) as file:
            for chunk in archive.chunks(name):
                file.write(chunk)
                advance(len(chunk))
        path.chmod(_MODES[name.partition("/")[0]])
    return len(names)


def _root(folder: str) -> Path:
    return originals.directory() if folder == UPLOADS else Path(settings.MEDIA_ROOT)


def _path(name: str) -> Path:
    folder, _, rest = name.partition("/")
    return _root(folder) / rest


def _files(folder: str) -> Iterator[Path]:
    """In the order of their names, without those that are being written."""
    for path in sorted(_root(folder).glob(_PATTERNS[folder])):
        if path.is_file() and path.suffix != ".part":
            yield path


def _is_same(path: Path, chunks: Iterator[bytes]) -> bool:
    with path.open("rb") as file:
        return all(file.read(len(chunk)) == chunk for chunk in chunks) and not file.read(1)
