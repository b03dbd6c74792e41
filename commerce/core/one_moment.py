"""Several statements that see the shop as of one moment, where no lock is held: what they add up must fit together."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.db import DatabaseError, connection

from commerce.core.database import command, is_outdated

Result = TypeVar("Result")

_BEGIN = {"postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", "sqlite": "BEGIN DEFERRED"}


def at_one_moment(read: Callable[[], Result]) -> Result:
    """What `read` gives of what was committed when it began. It changes nothing, waits for nobody and holds up nobody.

    Inside a transaction it is run as it is: whoever changes rows holds their locks. Costs two statements elsewhere.
    """
    if connection.in_atomic_block:
        return read()
    try:
        return _read(read)
    except DatabaseError as error:
        if not is_outdated(error):
            raise
        return _read(read)


def _read(read: Callable[[], Result]) -> Result:
    # Not by atomic(): its transactions are of the connection's own kind, to SQLite those that exclude other writers.
    command(_BEGIN[connection.vendor])
    try:
        result = read()
    except BaseException:
        with suppress(DatabaseError):  # the connection may be gone, and with it the transaction
            command("ROLLBACK")
        raise
    command("COMMIT")
    return result
