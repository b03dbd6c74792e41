"""The progress of a command on standard error, if that is a terminal."""

import sys
from collections.abc import Iterable
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def with_bar(items: Iterable[Item], name: str, count: int | None) -> Iterable[Item]:
    """The items, with a bar that vanishes at the end. count: how many there are, if that is known."""
    if not sys.stderr.isatty():
        return items
    return tqdm(items, desc=name, total=count, unit="", leave=False)
