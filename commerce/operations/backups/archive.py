"""The file of a backup: a ZIP file whose last member, the manifest, lists the others with their checksums.

The format is ZIP because any machine can open it, and because an incomplete file lacks the directory at its end.
"""

import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from commerce.operations.backups import manifest as manifests
from commerce.operations.backups.manifest import Manifest
from commerce.operations.backups.progress import Advance
from commerce.operations.backups.refusal import BackupRefused

MANIFEST = "manifest.json"
CHUNK = 1024 * 1024
_DAMAGED = (BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError, ValueError)
"""What zipfile raises for damaged files."""


class Writer:
    """Writes a backup, member by member; `members` has the checksums of those that were added."""

    def __init__(self, opened: ZipFile) -> None:
        self._zip = opened
        self.members: dict[str, str] = {}

    def add(self, name: str, chunks: Iterable[bytes], *, is_compressed: bool) -> None:
        """Add a member. is_compressed: whether it is compressed already."""
        described = ZipInfo(name)
        described.compress_type = ZIP_STORED if is_compressed else ZIP_DEFLATED
        digest = sha256()
        with self._zip.open(described, "w", force_zip64=True) as member:
            for chunk in chunks:
                digest.update(chunk)
                member.write(chunk)
        self.members[name] = digest.hexdigest()

    def add_manifest(self, manifest: Manifest) -> None:
        """Add the last member."""
        self._zip.writestr(ZipInfo(MANIFEST), manifests.written(manifest))


class Reader:
    """A backup that is read. All methods raise BackupRefused if the file is damaged."""

    def __init__(self, opened: ZipFile) -> None:
        self._zip = opened
        with _refused():
            self.manifest = manifests.read(opened.read(MANIFEST))

    @property
    def size(self) -> int:
        """The number of bytes of all members."""
        return sum(each.file_size for each in self._zip.infolist())

    def names(self, folder: str) -> list[str]:
        """The members in this folder, `media/a.webp`."""
        return [name for name in self.manifest.members if name.startswith(f"{folder}/")]

    def check(self, advance: Advance) -> None:
        """Read the whole file, and compare its checksums with those of the manifest."""
        unknown = {*self._zip.namelist()} ^ {*self.manifest.members, MANIFEST}
        if unknown:
            raise BackupRefused(f"The backup was altered: {min(unknown)} is missing or does not belong to it.")
        for name, checksum in self.manifest.members.items():
            if not _is_inside(name):
                raise BackupRefused(f"The backup was altered: {name} is not a valid file name.")
            digest = sha256()
            for chunk in self.chunks(name):
                digest.update(chunk)
                advance(len(chunk))
            if digest.hexdigest() != checksum:
                raise BackupRefused(f"The backup was altered: the checksum of {name} is not that of its manifest.")

    def chunks(self, name: str) -> Iterator[bytes]:
        """A member's content."""
        with _refused(), self._zip.open(name) as member:
            yield from chunks_of(member)


@contextmanager
def opened(name: str) -> Iterator[Reader]:
    """The backup of that name. Raises BackupRefused, and OSError if the file cannot be read."""
    with Path(name).open("rb") as file:
        with _refused():
            archive = ZipFile(file)
        yield Reader(archive)


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    """The rest of the file, in pieces."""
    while chunk := file.read(CHUNK):
        yield chunk


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name


@contextmanager
def _refused() -> Iterator[None]:
    try:
        yield
    except KeyError as error:
        raise BackupRefused(f"The file is not a backup of this shop: {error.args[0]}") from error
    except _DAMAGED as error:
        raise BackupRefused(f"The file is not a backup, or is incomplete or damaged: {error}") from error
