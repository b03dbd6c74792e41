"""How the threads of background processes start, fail and stop."""

import time
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

import structlog
from django.db import connection
from django.utils.crypto import get_random_string

Work = Callable[[Event], None]
"""Works until the event is set. It may raise anything, and is then started again."""

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 5.0
log = structlog.get_logger(__name__)


def name_argument(parser: ArgumentParser) -> None:
    """--name, of a background process."""
    parser.add_argument(
        "--name",
        default=get_random_string(12),
        help="unique among the background processes of all servers: when one of this name starts, tasks that were "
        "running when it was killed are taken up (default: random)",
    )


def name_process(name: str) -> None:
    """Have `ps -o comm` and `top` show the name, at most 15 letters, where that is possible."""
    with suppress(OSError):  # only Linux has the file
        Path("/proc/self/comm").write_text(name)


def keep_working(name: str, work: Work, stopped: Event) -> None:
    """Work until `stopped` is set; after a failure, as when PostgreSQL restarts, again after a pause.

    The pauses double, from FIRST_PAUSE up to LONGEST_PAUSE seconds, and start over after work that lasted longer.
    """
    pause = FIRST_PAUSE
    while not stopped.is_set():
        began = time.monotonic()
        try:
            work(stopped)
        except Exception:
            log.exception("background_work_failed", work=name)
        finally:
            connection.close()
        if time.monotonic() - began > LONGEST_PAUSE:
            pause = FIRST_PAUSE
        stopped.wait(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
