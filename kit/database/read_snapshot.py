"""Several statements that see the shop as of one moment, where no lock is held: what they add up must fit together."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from django.db import DatabaseError, connection

from kit.database.error_states import is_outdated
from kit.database.raw_sql import command

Result = TypeVar("Result")

_BEGIN = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", "sqlite": "BEGIN DEFERRED"}


def in_read_snapshot(read: Callable[[], Result]) -> Result:
    """Call `read` in a read snapshot; again if a table was migrated after a statement was prepared for it."""
    try:
        with read_snapshot():
            return read()
    except DatabaseError as error:
        if connection.in_atomic_block or not is_outdated(error):
            raise
    with read_snapshot():
        return read()


@contextmanager
def read_snapshot() -> Iterator[None]:
    """All statements within see what was committed when it began. They change nothing and wait for nobody.

    Nor does anybody wait for them. Inside a transaction they are part of it, and see what it sees.
    Costs two statements elsewhere.
    """
    if connection.in_atomic_block:
        yield
        return
    # Not by atomic(): its transactions are of the connection's own kind, to SQLite those that exclude other writers.
    command(_BEGIN[connection.vendor])
    try:
        yield
    except BaseException:
        with suppress(DatabaseError):  # the connection may be gone, and with it the transaction
            command("ROLLBACK")
        raise
    command("COMMIT")
