"""Work that Ctrl-C must not cut in two."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial


@contextmanager
def uninterrupted_end() -> Iterator[Callable[[], object]]:
    """Ctrl-C is ignored from the call of the yielded function to the end of the block, since it comes too late.

    To be used in the main thread.
    """
    former = signal.getsignal(signal.SIGINT)
    try:
        yield partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    finally:
        signal.signal(signal.SIGINT, former)
