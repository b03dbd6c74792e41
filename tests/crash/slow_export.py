"""A bulk worker that exports one order every half second: `python -m tests.crash.slow_export`."""

import time

import django

django.setup()

from django.core.management import call_command

from kit.jobs import single_step
from kit.jobs.queues import LONG
from orders.reports.export import batches

batches.BATCH = 1
single_step.REPORT_SECONDS = 0


def report_slowly(self: single_step._Reporter, done: int, total: int) -> None:
    self._store(done, total)
    time.sleep(0.5)


single_step._Reporter.__call__ = report_slowly  # type: ignore[method-assign]
call_command("db_worker", "--queue-name", LONG, "--no-startup-delay", "--interval", "0.1")
