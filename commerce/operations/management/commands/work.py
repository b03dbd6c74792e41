"""`manage.py work`: the background process; `serve` runs it."""

import signal
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from types import FrameType

import structlog
from django.core.management.base import BaseCommand
from django.db import connection

from commerce.kit.core import metering
from commerce.operations.background_workers import Work, background_work, chores

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 60.0
log = structlog.get_logger(__name__)


class Command(BaseCommand):
    """Ends on SIGTERM or SIGINT, after the work that has begun; chores are cut off. Work that fails is started again.

    With METRICS_PORT, it also serves the metrics of all processes of `serve`.
    """

    requires_system_checks = ()  # `serve` has made them; here they would load every page of the admin site
    help = "Do all background work: tasks, jobs, mails, webhooks and chores. `serve` runs it. Example: manage.py work"

    def handle(self, **options: object) -> None:
        stopped = Event()

        def stop(number: int, frame: FrameType | None) -> None:
            stopped.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        with suppress(OSError):  # only Linux has it
            Path("/proc/self/comm").write_text("background work")
        if metering.IS_ON:
            from commerce.operations.metrics_server import serve_metrics  # noqa: PLC0415 - not loaded if metrics are off

            serve_metrics()
        for name, work in chores().items():
            Thread(target=keep_at, args=(name, work, stopped), name=name, daemon=True).start()
        threads = [
            Thread(target=keep_at, args=(name, work, stopped), name=name) for name, work in background_work().items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def keep_at(name: str, work: Work, stopped: Event) -> None:
    """Run the work until `stopped` is set; after a failure, as when PostgreSQL restarts, again after a pause.

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
