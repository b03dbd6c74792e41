"""The database in a backup, by its vendor."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from django.db import connection

from commerce.operations.backups import postgresql, sqlite
from commerce.operations.backups.progress import Progress
from commerce.operations.backups.snapshot import Snapshot


class Vendor(Protocol):
    """MEMBER: the name in the backup. IS_COMPRESSED: whether it is compressed already."""

    MEMBER: str
    IS_COMPRESSED: bool

    def snapshot(self, directory: Path, progress: Progress) -> AbstractContextManager[Snapshot]: ...

    def require_ready(self) -> None: ...

    def load(self, chunks: Iterator[bytes], progress: Progress) -> None: ...

    def clear(self) -> None: ...


def vendor() -> Vendor:
    """The vendor of the database that DATABASE_URL names."""
    return {"postgresql": postgresql, "sqlite": sqlite}[connection.vendor]
