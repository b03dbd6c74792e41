"""Work that is done to see its result, and undone."""

from collections.abc import Callable
from typing import TypeVar

from django.db import connection, transaction

Result = TypeVar("Result")


def undone(work: Callable[[], Result]) -> Result:
    """What the work returns, in a transaction of its own that is rolled back: what waits for its commit never runs.

    On PostgreSQL, constraints are checked that otherwise wait for the commit. Raises RuntimeError within a transaction.
    """
    with transaction.atomic(durable=True):
        result = work()
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)
    return result
