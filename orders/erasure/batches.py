"""Splitting many rows into batches."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
BATCH = 200


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The items in order, BATCH at a time."""
    return (items[first : first + BATCH] for first in range(0, len(items), BATCH))
