"""Processes of the server end with the one that started them, however that ended. Does not import Django.

Why: docs/decisions/operations.md#processes-end-with-their-parent.
"""

import os
import signal
import time
from threading import Thread

_PARENT = "COMMERCE_PARENT_PROCESS"
_LOOK_SECONDS = 0.25


def be_parent() -> None:
    """Have the processes that this one starts from now on end with it, if they call `end_with_parent`."""
    os.environ[_PARENT] = str(os.getpid())


def end_with_parent() -> None:
    """Kill this process soon after its parent has ended, and be a parent itself. Has no effect if started by hand."""
    parent = os.environ.get(_PARENT)
    be_parent()
    if parent is not None:
        Thread(target=_watch, args=(int(parent),), name="parent-process", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)
