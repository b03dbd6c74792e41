"""The files of a backup: pictures, wherever they are stored, PDFs of invoices, and received files not converted yet."""

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from django.core.files.base import File
from django.core.files.storage import default_storage

from commerce.operations.backups.archive import Reader, Writer, chunks_of
from commerce.operations.backups.progress import Advance
from commerce.operations.backups.refusal import BackupRefused
from kit.commands.atomic_files import whole_file
from orders.invoices.printing import files as invoice_files
from pictures import originals
from pictures.names import NAME
from pictures.stored_files import stored_names

MEDIA, UPLOADS, INVOICES = "media", "uploads", "invoices"


def size_of_uploads() -> int:
    """The number of bytes of the received files."""
    return sum(path.stat().st_size for path in _received())


def add_uploads(archive: Writer, advance: Advance) -> None:
    """Add the received files that the backup does not have yet. One that is deleted meanwhile is left out."""
    for path in _received():
        name = f"{UPLOADS}/{path.name}"
        if name in archive.members:
            continue
        with suppress(FileNotFoundError), path.open("rb") as file:
            archive.add(name, chunks_of(file), is_compressed=True)
            advance(file.tell())


def add_invoices(archive: Writer, advance: Advance) -> None:
    """Add the PDFs of all documents. One that is deleted meanwhile is left out."""
    for path in invoice_files.stored():
        with suppress(FileNotFoundError), path.open("rb") as file:
            archive.add(f"{INVOICES}/{path.name}", chunks_of(file), is_compressed=True)
            advance(file.tell())


def add_pictures(archive: Writer, advance: Advance) -> None:
    """Add the files of all pictures. One that is deleted meanwhile is left out."""
    for name in stored_names():
        with suppress(FileNotFoundError), default_storage.open(name) as file:
            archive.add(f"{MEDIA}/{name}", chunks_of(file), is_compressed=True)
            advance(file.tell())


def require_pictures(archive: Reader) -> None:
    """Raise BackupRefused for other files in the folder of pictures, which the shop would serve."""
    for member, name in _pictures_of(archive).items():
        if not NAME.fullmatch(name):
            raise BackupRefused(f"The backup was altered: {member} is not the name of a picture.")


def require_no_others(archive: Reader) -> None:
    """Raise BackupRefused if a file of the backup would replace one with another content."""
    for member, path in _private_of(archive).items():
        if path.exists() and not _is_same(path.open("rb"), archive.chunks(member)):
            raise _differs(str(path))
    stored = set(stored_names())
    for member, name in _pictures_of(archive).items():
        if name in stored and not _is_same(default_storage.open(name), archive.chunks(member)):
            raise _differs(_place(name))


def extract(archive: Reader, advance: Advance) -> int:
    """Write the received files, the PDFs and the pictures; returns how many."""
    private, pictures = _private_of(archive), _pictures_of(archive)
    for member, path in private.items():
        with whole_file(str(path)) as written:
            _copy(archive, member, written, advance)
    for member, name in pictures.items():
        with tempfile.TemporaryFile() as file:
            _copy(archive, member, file, advance)
            default_storage.save(name, File(file))
    return len(private) + len(pictures)


def _copy(archive: Reader, member: str, file: IO[bytes], advance: Advance) -> None:
    for chunk in archive.chunks(member):
        file.write(chunk)
        advance(len(chunk))


def _received() -> list[Path]:
    return sorted(originals.directory().glob("*.original"))


def _private_of(archive: Reader) -> dict[str, Path]:
    """The paths of the received files and of the PDFs, by member."""
    folders = {UPLOADS: originals.directory, INVOICES: invoice_files.directory}
    return {
        member: directory() / _name(member) for kind, directory in folders.items() for member in archive.names(kind)
    }


def _pictures_of(archive: Reader) -> dict[str, str]:
    """The names of the pictures, by member."""
    return {member: _name(member) for member in archive.names(MEDIA)}


def _name(member: str) -> str:
    return member.partition("/")[2]


def _place(name: str) -> str:
    """The picture's path, if its storage has paths."""
    try:
        return default_storage.path(name)
    except NotImplementedError:
        return name


def _differs(place: str) -> BackupRefused:
    return BackupRefused(f"{place} differs from the file in the backup: restore into empty folders, or use --force.")


def _is_same(file: IO[bytes], chunks: Iterator[bytes]) -> bool:
    with file:
        return all(file.read(len(chunk)) == chunk for chunk in chunks) and not file.read(1)
