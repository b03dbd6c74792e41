"""Supervises the processes of the server.

`manage.py serve` becomes `python -m commerce.operations.server.serving`. It does not load Django: a process that only
watches others does not need the shop's memory.
"""

import json
import logging
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from socket import gethostname

from commerce.operations.server.addresses import address
from commerce.operations.server.announcement import Announcement
from commerce.operations.server.child_processes import command, program
from commerce.operations.server.parent_process import be_parent
from commerce.operations.server.processes import GRACE_SECONDS, RestartedCommand, run_together
from commerce.operations.server.web_server import web_server_command


def main() -> None:
    """Supervise in this directory, by the command line that `serve` has composed."""
    parser = ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("workers", type=int)
    parser.add_argument("--drain-seconds", type=int, default=0)
    parser.add_argument("--log-level", default="INFO")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("then", nargs="*", help="a command of manage.py")
    given = parser.parse_args()
    handler = logging.StreamHandler()
    if given.json:
        handler.setFormatter(_JSONLine())
    logging.basicConfig(level=given.log_level, handlers=[handler])
    supervise(given.host, given.port, given.workers, drain_seconds=given.drain_seconds, then=given.then)


def supervise(host: str, port: int, workers: int, *, drain_seconds: int, then: Sequence[str] = ()) -> None:
    """Run the web processes and the background process in this directory until SIGTERM or SIGINT.

    drain_seconds: how long web processes then still answer. then: a command of manage.py, run once the server answers.
    """
    be_parent()
    # Threads that wait for the database have no use for an arena of memory each: on two cores that took 8 MB.
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")
    plural = "" if workers == 1 else "es"
    greeting = f"Serving {address(host, port)} with {workers} web process{plural}; Ctrl-C stops."
    web = web_server_command(host=host, port=port, workers=1, drain_seconds=drain_seconds)
    background = command("work", "--name", f"{gethostname()[:30]}:{port}", name="background")
    run_together(
        [
            *(
                RestartedCommand(f"web process {number}", program(*web, name=f"web {number}"))
                for number in range(1, workers + 1)
            ),
            RestartedCommand("background process", background),
            Announcement(host, port, partial(_say, greeting), command(*then) if then else None),
        ],
        directory=Path.cwd(),
        grace_seconds=drain_seconds + GRACE_SECONDS,
    )
    _say("Stopped.")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class _JSONLine(logging.Formatter):
    """Lines like those of the other processes (kit/observability/logs.py), without their libraries."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        line = {"event": record.getMessage(), "level": record.levelname.lower(), "logger": record.name}
        return json.dumps({**line, "timestamp": moment})


if __name__ == "__main__":
    main()
