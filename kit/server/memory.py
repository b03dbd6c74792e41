"""Keeps the process from holding on to the memory of large requests.

Why: docs/decisions/http.md#json-is-measured-before-it-is-parsed.
"""

import ctypes
import gc

BYTES = 4 * 1024 * 1024
"""Bytes of bodies after which garbage is collected."""

LARGE = 256 * 1024
_M_MMAP_THRESHOLD = -3  # of malloc.h


class Garbage:
    """Collects reference cycles that requests leave, such as an exception and the frames that it has passed.

    Python looks for them after so many new objects, however large: a body of a megabyte is a single one. Threads may
    lose a count to each other, which only delays the collection.
    """

    def __init__(self) -> None:
        self._bytes = 0

    def add(self, size: int) -> None:
        """Count an answered body of that many bytes; collect if they are many by now, which takes a millisecond."""
        self._bytes += size
        if self._bytes >= BYTES:
            self._bytes = 0
            gc.collect()


def return_large_blocks() -> None:
    """Have each block of at least LARGE bytes returned to the system once it is freed.

    By default, glibc raises this limit to the largest block so far, and keeps the freed blocks of each thread.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)  # only glibc has it
    if set_option is not None:
        set_option(_M_MMAP_THRESHOLD, LARGE)
