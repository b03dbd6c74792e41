"""The SQLite file in a backup: copied by SQLite's backup API, in both directions, while others read and write."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection

from commerce.operations.backups.archive import chunks_of
from commerce.operations.backups.progress import Progress
from commerce.operations.backups.refusal import BackupRefused
from commerce.operations.backups.snapshot import Snapshot
from kit.database.read_snapshot import read_snapshot

MEMBER = "database.sqlite3"
IS_COMPRESSED = False
_PAGES = 1000
"""The bytes that are copied at a time."""


@contextmanager
def snapshot(directory: Path, progress: Progress) -> Iterator[Snapshot]:
    """A copy in a new folder below `directory`, which is removed at the end.

    Within a read transaction, the backup API need not begin again when others write.
    """
    with tempfile.TemporaryDirectory(dir=directory, prefix="backup-") as folder:
        path = Path(folder) / MEMBER
        with closing(sqlite3.connect(path)) as copy:
            with read_snapshot(), connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM sqlite_master")  # begins it
                _copy(connection.connection, copy, progress)
            _require_sound(copy)
            tables = _values(copy, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            rows = {table: _values(copy, f'SELECT count(*) FROM "{table}"')[0] for table in sorted(tables)}  # noqa: S608 - our own tables
            migrations = _values(copy, "SELECT app || '.' || name FROM django_migrations")
        with path.open("rb") as file:
            yield Snapshot(chunks_of(file), rows, sorted(migrations))


def load(chunks: Iterator[bytes], progress: Progress) -> None:
    """Replace the whole database, in one transaction: an interruption changes nothing."""
    name = Path(connection.settings_dict["NAME"])
    with tempfile.TemporaryDirectory(dir=name.parent, prefix="restore-") as folder:
        path = Path(folder) / MEMBER
        with path.open("wb") as file:
            file.writelines(chunks)
        with closing(sqlite3.connect(path)) as copy:
            _require_sound(copy)
            connection.ensure_connection()
            _copy(copy, connection.connection, progress)


def require_ready() -> None:
    """Raise BackupRefused while another process has the file open."""
    with connection.cursor() as cursor:
        try:
            cursor.execute("PRAGMA journal_mode=DELETE")  # which SQLite refuses then
        except DatabaseError as error:
            raise BackupRefused("Another process uses the database: stop the server first.") from error
        cursor.execute("PRAGMA journal_mode=WAL")


def clear() -> None:
    """Nothing needs to be done: `load` replaces everything."""


def _copy(source: sqlite3.Connection, target: sqlite3.Connection, progress: Progress) -> None:
    (size,) = source.execute("PRAGMA page_size").fetchone()
    (count,) = source.execute("PRAGMA page_count").fetchone()
    advance, left = progress("database", size * count), count

    def watch(status: int, remaining: int, total: int) -> None:
        nonlocal left
        advance(size * (left - remaining))
        left = remaining

    source.backup(target, pages=_PAGES, progress=watch)


def _require_sound(copy: sqlite3.Connection) -> None:
    try:
        problems = _values(copy, "PRAGMA quick_check(1)")
    except sqlite3.DatabaseError as error:
        problems = [str(error)]
    if problems != ["ok"]:
        raise BackupRefused(f"The SQLite file is damaged: {problems[0]}")


def _values(copy: sqlite3.Connection, statement: str) -> list[Any]:
    return [value for (value,) in copy.execute(statement)]
