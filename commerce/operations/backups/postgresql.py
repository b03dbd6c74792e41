"""The PostgreSQL database in a backup: pg_dump's custom format, of the same snapshot in which rows are counted."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from django.db import DatabaseError, connection, transaction
from psycopg.conninfo import make_conninfo

from commerce.operations.backups.archive import chunks_of
from commerce.operations.backups.progress import Advance, Progress
from commerce.operations.backups.refusal import BackupRefused
from commerce.operations.backups.row_counts import row_counts
from commerce.operations.backups.snapshot import Snapshot
from commerce.operations.migration_state import applied_migrations
from kit.database.read_snapshot import read_snapshot

MEMBER = "database.dump"
IS_COMPRESSED = True
_OTHERS = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
FUNCTIONS = """
    SELECT pg_proc.oid::regprocedure::text FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e'
    )
"""


@contextmanager
def snapshot(directory: Path, progress: Progress) -> Iterator[Snapshot]:
    """What pg_dump writes; nothing is kept in `directory`."""
    with read_snapshot(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        (name,) = cursor.fetchone()
        rows, migrations = row_counts(), sorted(applied_migrations())
        advance = progress("database", 0)
        with _running("pg_dump", "--format=custom", f"--snapshot={name}", stdout=subprocess.PIPE) as output:
            yield Snapshot(_watched(chunks_of(output), advance), rows, migrations)


def load(chunks: Iterator[bytes], progress: Progress) -> None:
    """Fill the empty database in one transaction: an interruption changes nothing."""
    connection.ensure_connection()
    advance = progress("database", 0)
    # Only the owner of an extension may comment on it, and that may be another role.
    words = ("--single-transaction", "--no-owner", "--no-privileges", "--no-comments")
    with _running("pg_restore", *words, stdin=subprocess.PIPE) as file:
        for chunk in chunks:
            file.write(chunk)
            advance(len(chunk))
    connection.close()  # its prepared statements are of other tables


def require_ready() -> None:
    """Raise BackupRefused while other connections use the database, and if pg_restore is missing."""
    _path_of("pg_restore")
    with connection.cursor() as cursor:
        cursor.execute(_OTHERS)
        (others,) = cursor.fetchone()
    if others:
        raise BackupRefused(f"The database has other open connections ({others}): stop the server first.")


def clear() -> None:
    """Drop the tables and functions."""
    with transaction.atomic(), connection.cursor() as cursor:
        tables = ", ".join(map(connection.ops.quote_name, connection.introspection.table_names()))
        try:
            cursor.execute(f"DROP TABLE {tables} CASCADE")
            cursor.execute(FUNCTIONS)
            for (function,) in cursor.fetchall():
                cursor.execute(f"DROP FUNCTION {function} CASCADE")
        except DatabaseError as error:
            raise BackupRefused(f"The database could not be emptied: {error}") from error


def _watched(chunks: Iterator[bytes], advance: Advance) -> Iterator[bytes]:
    for chunk in chunks:
        advance(len(chunk))
        yield chunk


@contextmanager
def _running(program: str, *words: str, stdin: int | None = None, stdout: int | None = None) -> Iterator[IO[bytes]]:
    """One of PostgreSQL's client programs, on the shop's database; its input or output. Ended if the block raises."""
    path = _path_of(program)
    with tempfile.TemporaryFile() as errors:
        address, password = _address()
        process = subprocess.Popen(  # noqa: S603 - no shell
            [path, *words, "--dbname", address],
            env={**os.environ, **({"PGPASSWORD": password} if password else {})},
            stdin=stdin,
            stdout=stdout,
            stderr=errors,
        )
        pipe = cast(IO[bytes], process.stdin or process.stdout)
        try:
            with suppress(BrokenPipeError), pipe:  # a program that ends early reports why
                yield pipe
        except BaseException:
            process.kill()
            raise
        finally:
            code = process.wait()
        if code:
            errors.seek(0)
            reason = errors.read().decode(errors="replace").strip()
            raise BackupRefused(f"{program} failed: {reason or f'exit code {code}'}")


def _path_of(program: str) -> str:
    path = shutil.which(program)
    if path is None:
        raise BackupRefused(
            f"{program} is not on the PATH: install PostgreSQL's client programs of the server's version or a newer "
            "one (Debian: postgresql-client)."
        )
    return path


def _address() -> tuple[str, str]:
    """The database as libpq knows it, and the password, which `ps` must not show."""
    given = connection.get_connection_params()
    of_psycopg = ("password", "prepare_threshold", "cursor_factory", "context")
    address = make_conninfo(**{name: value for name, value in given.items() if name not in of_psycopg})
    return address, given.get("password", "")
