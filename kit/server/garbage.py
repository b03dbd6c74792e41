"""Frees what requests leave behind in rings of references, before it is much.

Python looks for such rings after so many new objects, however large: a refused body of a megabyte is a few objects.
"""

import gc

BYTES = 4 * 1024 * 1024
"""Bytes of bodies after which is looked."""


class Garbage:
    """What the bodies of a process may have left. Threads may lose a count to each other, which delays a look."""

    def __init__(self, most: int = BYTES) -> None:
        self._most, self._bytes = most, 0

    def add(self, size: int) -> None:
        """Count an answered body of that size; look if they are many bytes by now, which takes about a millisecond."""
        self._bytes += size
        if self._bytes >= self._most:
            self._bytes = 0
            gc.collect()
