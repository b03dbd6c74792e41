"""Pictures of a shop file that are files beside it: `load_shop` copies them into the shop, `dump_shop` out of it.

A dumped file keeps the name of its picture, which names the picture in the shop that loads it, too: a dump loaded there
and dumped again is the same.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from django.core.files.storage import default_storage

from kit.errors import InvalidData
from kit.values.public_address import MEDIA_PATH
from pictures import originals
from pictures.models import Picture
from pictures.names import NAME, digest_in, file_name, path_in, path_of
from pictures.receiving import fault, record
from pictures.states import PictureStatus

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:").match
_source: ContextVar[Path | None] = ContextVar("source", default=None)
_target: ContextVar["Target | None"] = ContextVar("target", default=None)


class UnusableFile(InvalidData):
    """A file that a shop file names is missing, outside of its directory, or no picture."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a dump puts pictures. directory: of the files. prefix: of their names in the dump. missing: not ready."""

    directory: Path
    prefix: str
    missing: set[str] = field(default_factory=set)


@contextmanager
def loaded_from(directory: Path) -> Iterator[None]:
    """Within the block, names without a scheme and a leading slash are files in that directory or below it."""
    token = _source.set(directory)
    try:
        yield
    finally:
        _source.reset(token)


@contextmanager
def dumped_to(target: Target) -> Iterator[None]:
    """Within the block, the pictures of dumped addresses are copied to the target."""
    token = _target.set(target)
    try:
        yield
    finally:
        _target.reset(token)


def address_of(name: str) -> str:
    """The address that a shop file means: the picture made of a local file, or the given address.

    Call this in a transaction. Raises UnusableFile.
    """
    source = _source.get()
    if source is None or not name or name.startswith("/") or _SCHEME(name):
        return name
    dumped = NAME.fullmatch(Path(name).name)
    path = (source / name).with_name(file_name(dumped[1])) if dumped else source / name
    if not path.resolve().is_relative_to(source.resolve()) or not path.is_file():
        raise UnusableFile(f"there is no file '{name}' beside the shop file")
    digest = _copied_in(path, name, dumped[1] if dumped else None)
    return f"{MEDIA_PATH}{Path(name).name}" if dumped else path_of(digest)


def _copied_in(path: Path, name: str, digest: str | None) -> str:
    size = path.stat().st_size
    with path.open("rb") as file:
        reason = fault(file, size)
        if reason:
            raise UnusableFile(f"the file '{name}' {reason}")
        digest = digest or originals.digest_of(file)
    if not Picture.objects.filter(digest=digest, status=PictureStatus.READY).exists():
        originals.copy(path, digest)
    record(digest, size, created_by=None)
    return digest


def dumped_name(address: str | None) -> str | None:
    """The address as a dump has it: the relative name of a picture of this shop, once it is copied."""
    target, digest = _target.get(), digest_in(address or "")
    if target is None or digest is None:
        return address
    copy = target.directory / file_name(digest)
    if not copy.exists():
        try:
            with default_storage.open(file_name(digest)) as stored, copy.open("wb") as written:
                shutil.copyfileobj(stored, written)
        except FileNotFoundError:
            target.missing.add(digest)
            return address
    return f"{target.prefix}{(path_in(address or '') or '').removeprefix(MEDIA_PATH)}"
