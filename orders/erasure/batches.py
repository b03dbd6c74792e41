"""Many rows, some at a time."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
BATCH = 200


def batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """The items in their order, BATCH at a time."""
    return (items[first : first + BATCH] for first in range(0, len(items), BATCH))
