"""`manage.py serve`: the web server and the background workers, in development and in production."""

import os
import socket
import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error, connection

from commerce.operations.background_workers import WORKERS
from commerce.operations.migration_state import pending_migrations
from commerce.operations.processes import Chore, Helper, run_together
from commerce.operations.web_server import web_server_command


class Command(BaseCommand):
    """Starts granian, and stops everything on SIGTERM, SIGINT or granian's end.

    Beside it run the workers of background tasks, started again when they end (a restart of PostgreSQL ends them),
    `prune` once an hour and `take_up_payments` once a minute.
    """

    help = "Serve the shop: the web server and the background workers. Ctrl-C or SIGTERM stops both gracefully."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="the port to listen on (default: %(default)s)")
        parser.add_argument(
            "--workers", type=int, default=os.cpu_count(), help="web processes (default: one per CPU, here %(default)s)"
        )

    def handle(self, *, host: str, port: int, workers: int, **options: Any) -> None:
        _demand_migrations()
        _demand_free_port(host, port)
        call_command("collectstatic", interactive=False, verbosity=0)
        connection.close()
        plural = "" if workers == 1 else "es"
        self.stdout.write(f"Serving http://{host}:{port} with {workers} web process{plural}; Ctrl-C stops.")
        self.stdout.flush()
        ended = run_together(
            {"web server": web_server_command(host=host, port=port, workers=workers)},
            directory=settings.BASE_DIR,
            beside=[*(Helper(name, _manage(*words)) for name, words in WORKERS.items()), *_chores()],
        )
        if ended:
            raise CommandError(ended)
        self.stdout.write("Stopped.")


def _demand_migrations() -> None:
    try:
        pending = pending_migrations()
    except Error as error:
        raise CommandError(f"The database cannot be reached: {error}") from error
    if pending:
        raise CommandError(
            f"The database is behind by {len(pending)}, beginning with {pending[0]}: run `manage.py migrate` first."
        )


def _demand_free_port(host: str, port: int) -> None:
    """Granian shares its port with other servers, so two of them would answer in turns."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CommandError(f"Cannot listen on {host}:{port}: {error.strerror}.") from error


def _chores() -> list[Chore]:
    """Those that are not switched off."""
    chores = [
        ("pruning", "prune", settings.PRUNE_INTERVAL),
        ("taking up of payments", "take_up_payments", settings.TAKE_UP_INTERVAL),
    ]
    return [Chore(name, _manage(command, "--verbosity", "0"), seconds) for name, command, seconds in chores if seconds]


def _manage(*words: str) -> list[str]:
    return [sys.executable, "manage.py", *words]
