"""What Ctrl-C and SIGTERM do to a process: they end its loops, and do not cut work in two."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event
from types import FrameType

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def stop_signal() -> Event:
    """An event that SIGTERM and SIGINT set from now on. Must be called in the main thread."""
    stopped = Event()

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()

    for number in STOP_SIGNALS:
        signal.signal(number, stop)
    return stopped


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
