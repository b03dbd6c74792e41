"""`manage.py serve`: the web server and the background process, in development and in production."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import Error

from commerce.operations.checks.database_check import unreachable_database
from commerce.operations.migration_state import pending_migrations
from commerce.operations.server.listening import name_public_url, port_number, positive_number, require_free_port
from kit.commands.operator_command import OperatorCommand
from kit.database.pooler import PoolerInFront


class Command(OperatorCommand):
    """Runs the web processes, each under its own granian, and the background process, until SIGTERM or SIGINT.

    Granian replaces a web process that dies, and exits if the next one dies within seconds; then it is restarted, and
    so is the background process. After the checks this process becomes `commerce.operations.server.serving`, which
    needs a quarter of the memory, since it does not load Django. `then` names a command that it runs once the server
    answers.
    """

    help = "Serve the shop: the web server and the background work. Ctrl-C or SIGTERM stops both gracefully."
    examples = ("serve", "serve --host 127.0.0.1 --port 8000 --workers 2")
    requires_system_checks = []  # `handle` runs them, for `demo`, too, with those of `check --deploy`
    stealth_options = ("then",)

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

    def handle(self, *, host: str, port: int, workers: int, then: Sequence[str] = (), **options: object) -> None:
        self.check(include_deployment_checks=settings.PRODUCTION)
        _require_migrations()
        require_free_port(host, port)
        name_public_url(host, port)
        call_command("collectstatic", interactive=False, verbosity=0)
        if settings.METRICS_PORT:
            _begin_metrics(port)
        self.stdout.flush()
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, _supervisor(host, port, workers, then))  # noqa: S606 - our own program


def _supervisor(host: str, port: int, workers: int, then: Sequence[str]) -> list[str]:
    """The command line of `commerce.operations.server.serving`."""
    options = ["--drain-seconds", str(settings.DRAIN_SECONDS), "--log-level", settings.LOG_LEVEL]
    words = [*options, *(["--json"] if settings.PRODUCTION else []), "--", host, str(port), str(workers), *then]
    return [sys.executable, "-m", "commerce.operations.server.serving", *words]


def _begin_metrics(port: int) -> None:
    from commerce.operations.monitoring.metrics_server import HOST, begin_metrics  # noqa: PLC0415 - not loaded if metrics are off

    if port == settings.METRICS_PORT:
        raise CommandError(f"METRICS_PORT is {port}, the port of the server: choose another for one of them.")
    try:
        require_free_port(HOST, settings.METRICS_PORT)
    except CommandError as error:
        raise CommandError(f"METRICS_PORT: {error}") from error
    begin_metrics()


def _require_migrations() -> None:
    try:
        pending = pending_migrations()
    except PoolerInFront as error:
        raise CommandError(str(error)) from error
    except Error as error:
        refusal = f"The database does not say which migrations it has: {' '.join(str(error).split())}"
        raise CommandError(unreachable_database() or refusal) from error
    if pending:
        raise CommandError(
            f"Migrations are not applied: {len(pending)}, beginning with {pending[0]}. Run `manage.py migrate` first."
        )
