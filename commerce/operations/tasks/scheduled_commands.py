"""The commands that the background process runs at intervals, each in a thread of its own."""

from collections.abc import Mapping
from functools import partial
from threading import Event

import structlog
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from commerce.operations.tasks.work_threads import Work

log = structlog.get_logger(__name__)

SOON_SECONDS = 5.0
FIRST_SECONDS = 30.0
"""Commands with long intervals also get their turn where the process is killed again and again."""


def chores() -> Mapping[str, Work]:
    """The work of each, by name. It may be interrupted at any time."""
    return {name: partial(repeat, name, seconds) for name, seconds in intervals().items()}


def intervals() -> Mapping[str, float]:
    """The commands that are enabled, with their intervals in seconds.

    What a killed process left is found within SOON_SECONDS. What has failed waits for its own back-off, however often
    the commands look.
    """
    soon = min(settings.RESUME_INTERVAL, SOON_SECONDS)
    known = {
        "prune": settings.PRUNE_INTERVAL,
        "resume_payments --queue": soon,
        "resume_completions --attempts": soon,
        "resume_completions": settings.RESUME_INTERVAL,
        "resume_fulfillments": soon,
        "resume_tasks": settings.RESUME_INTERVAL,
        "recompute_lowest": settings.RECOMPUTE_INTERVAL,
    }
    return {name: seconds for name, seconds in known.items() if seconds}


def repeat(name: str, seconds: float, stopped: Event) -> None:
    """Run the command again and again, for the first time after FIRST_SECONDS. A failure is logged."""
    pause = min(seconds, FIRST_SECONDS)
    while not stopped.wait(pause):
        pause = seconds
        try:
            call_command(*name.split(), verbosity=0)
        except CommandError as error:
            log.error("chore_failed", chore=name, reason=str(error))  # noqa: TRY400 - the message says it all
        except Exception:
            log.exception("chore_failed", chore=name)
        finally:
            connection.close()  # it would be idle until the next run
