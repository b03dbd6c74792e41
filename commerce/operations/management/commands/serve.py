"""`manage.py serve`: the web server and the background workers, in development and in production."""

import os
import sys
from argparse import ArgumentParser
from functools import partial

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error

from commerce.kit.core.pooler import PoolerInFront
from commerce.operations.announcement import Announcement
from commerce.operations.background_workers import WORKERS
from commerce.operations.child_processes import command, prepare_forks, program
from commerce.operations.listening import address, name_public_url, port_number, positive_number, require_free_port
from commerce.operations.migration_state import pending_migrations
from commerce.operations.processes import PeriodicCommand, RestartedCommand, run_together
from commerce.operations.web_server import web_server_command

LONGEST_PAUSE = 5.0
"""The longest wait, in seconds, before a web process is restarted."""


class Command(BaseCommand):
    """Runs the web processes, each under its own granian, until SIGTERM or SIGINT.

    Granian replaces a web process that dies, and exits if the next one dies within seconds; then it is restarted.
    The command also runs the background workers, which are restarted when they end (as when PostgreSQL restarts),
    `prune` once an hour, and `resume_payments`, `resume_completions` and `resume_fulfillments` once a minute.
    """

    help = "Serve the shop: the web server and the background workers. Ctrl-C or SIGTERM stops both gracefully."
    requires_system_checks = []  # `handle` runs them, for `demo`, too, with those of `check --deploy`

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
        parser.add_argument(
            "--port", type=port_number, default=8000, help="the port to listen on (default: %(default)s)"
        )
        parser.add_argument(
            "--workers",
            type=positive_number,
            default=os.cpu_count(),
            help="web processes (default: one per CPU, here %(default)s)",
        )

    def handle(self, *, host: str, port: int, workers: int, **options: object) -> None:
        self.check(include_deployment_checks=settings.PRODUCTION)
        _require_migrations()
        require_free_port(host, port)
        name_public_url(host, port)
        call_command("collectstatic", interactive=False, verbosity=0)
        metrics = _metrics()
        prepare_forks()
        web = program(*web_server_command(host=host, port=port, workers=1))
        run_together(
            [
                *(RestartedCommand(f"web process {number}", web, LONGEST_PAUSE) for number in range(1, workers + 1)),
                *(RestartedCommand(name, command(name, *words)) for name, words in WORKERS.items()),
                *(
                    PeriodicCommand(name, command(name, verb, "--verbosity", "0"), seconds)
                    for name, verb, seconds in _periodic_commands()
                ),
                *metrics,
                Announcement(host, port, partial(self._announce, host, port, workers)),
            ],
            directory=settings.BASE_DIR,
        )
        self.stdout.write("Stopped.")

    def _announce(self, host: str, port: int, workers: int) -> None:
        plural = "" if workers == 1 else "es"
        self.stdout.write(f"Serving {address(host, port)} with {workers} web process{plural}; Ctrl-C stops.")
        self.stdout.flush()


def _metrics() -> list[RestartedCommand]:
    """The process that serves metrics, if they are on. It and the web processes are processes of their own."""
    if not settings.METRICS_PORT:
        return []
    from commerce.operations.metrics_server import HOST, begin_metrics  # noqa: PLC0415 - not loaded if metrics are off

    require_free_port(HOST, settings.METRICS_PORT)
    begin_metrics()
    return [RestartedCommand("metrics", program(sys.executable, "manage.py", "serve_metrics"))]


def _require_migrations() -> None:
    try:
        pending = pending_migrations()
    except PoolerInFront as error:
        raise CommandError(str(error)) from error
    except Error as error:
        raise CommandError(f"The database cannot be reached: {error}") from error
    if pending:
        raise CommandError(
            f"Migrations are not applied: {len(pending)}, beginning with {pending[0]}. Run `manage.py migrate` first."
        )


def _periodic_commands() -> list[tuple[str, str, float]]:
    """The periodic commands that are enabled: what they are called, the command, and its interval in seconds."""
    commands = [
        ("pruning", "prune", settings.PRUNE_INTERVAL),
        ("resuming of payments", "resume_payments", settings.RESUME_INTERVAL),
        ("resuming of completions", "resume_completions", settings.RESUME_INTERVAL),
        ("resuming of fulfillments", "resume_fulfillments", settings.RESUME_INTERVAL),
    ]
    return [each for each in commands if each[2]]
