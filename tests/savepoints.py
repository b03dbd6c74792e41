"""Savepoints within the transaction of a test."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction


@contextmanager
def undone() -> Iterator[None]:
    """A savepoint that is rolled back. No `atomic`: within one, nothing durable may be done."""
    mark = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(mark)
