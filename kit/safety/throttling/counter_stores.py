"""Where attempts can be counted: table_counts.py and redis_counts.py."""

from collections.abc import Sequence
from typing import Protocol

from kit.safety.throttling.windows import Window


class CounterStore(Protocol):
    """A module that stores the counts."""

    def count(self, windows: Sequence[Window]) -> None:
        """Count the attempts in each window, or in none. Raises TooManyRequests."""
        ...

    def uncount(self, windows: Sequence[Window]) -> None:
        """Subtract one attempt from each window."""
        ...

    def kept(self, window: Window) -> int:
        """How many attempts the window has."""
        ...

    def forget(self, window: Window) -> None:
        """Set the count to zero."""
        ...
