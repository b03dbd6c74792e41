"""A bulk worker that imports a few rows in each transaction, and waits before it commits.

`python -m tests.crash.slow_import`
"""

import time

import django

django.setup()

from django.core.management import call_command

from kit.jobs.queues import LONG
from kit.spreadsheets import applying
from kit.spreadsheets.batches import Work

save = Work._save


def save_slowly(self: Work, saved: object) -> int:
    size = save(self, saved)  # type: ignore[arg-type]
    time.sleep(0.3)
    return size


applying._MOST, applying._LEAST = 12, 4
Work._save = save_slowly  # type: ignore[method-assign]
call_command("db_worker", "--queue-name", LONG, "--no-startup-delay", "--interval", "0.1")
