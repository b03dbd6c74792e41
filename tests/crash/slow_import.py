"""A bulk worker that imports a few products in each transaction: `python -m tests.crash.slow_import`."""

import django

django.setup()

from django.core.management import call_command

from kit.jobs.queues import LONG
from kit.spreadsheets import applying

applying._MOST, applying._LEAST = 12, 4
call_command("db_worker", "--queue-name", LONG, "--no-startup-delay", "--interval", "0.1")
