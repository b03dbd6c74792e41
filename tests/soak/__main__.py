"""`python -m tests.soak`: 100,000 mixed requests through a pooler, Redis and a read replica that lag, stop and die.

Exit code 1 if a response was wrong, if one failed in any other way than by asking to try again, or if the memory of the
server grew by a tenth. Linux only.
"""

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from tests.bench.places import own_cluster, postgresql_place
from tests.bench.processes import WebServer, proportional_megabytes, tree
from tests.ports import free_port
from tests.soak.callers import Caller
from tests.soak.client import MOST_REPORTED, Client, Tally
from tests.soak.faults import Faults
from tests.soak.place import NAME, Servers, start

CALLERS = 12
WORKERS = 2
SETTLED = 0.2
"""The part of the requests after which memory is measured for the first time."""
GROWTH = 1.1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--requests", type=int, default=100_000)
    options = parser.parse_args()
    with ExitStack() as stack:
        cluster, directory = stack.enter_context(own_cluster("The soak"))
        direct = postgresql_place(cluster, NAME)
        command = [sys.executable, "-m", "tests.soak.shop", str(CALLERS)]
        filled = subprocess.run(command, env=direct.environment, stdout=subprocess.PIPE, check=True).stdout
        wrongs = run(start(cluster, direct, stack), orjson.loads(filled), options.requests, directory)
    tell("\n".join(wrongs[:MOST_REPORTED]))
    sys.exit(f"{len(wrongs)} things are wrong." if wrongs else None)


def run(servers: Servers, facts: Mapping[str, Any], requests: int, directory: Path) -> list[str]:
    """What is wrong at the end."""
    port, tally = free_port(), Tally(requests)
    command = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", str(WORKERS)]
    server = WebServer(command, servers.place.environment, port=port, log=directory / "serve.log")
    faults = Faults(servers)
    try:
        faults.start()
        memory = _under_load(server, facts, tally)
        faults.end()
    finally:
        server.stop()
    statuses = ", ".join(f"{count} {status}" for status, count in tally.statuses.most_common())
    tell(f"{tally.sent} requests: {statuses}; the slowest took {tally.slowest:.1f} s")
    tell(f"{len(faults.happened)} faults: {', '.join(sorted(set(faults.happened)))}")
    tell(f"memory: {memory[0]:.0f} MB at first, {memory[1]:.0f} MB at the end")
    grown = [f"Memory grew from {memory[0]:.0f} to {memory[1]:.0f} MB"] if memory[1] > GROWTH * memory[0] else []
    return [*tally.wrongs, *grown]


def _under_load(server: WebServer, facts: Mapping[str, Any], tally: Tally) -> tuple[float, float]:
    """Run all callers; returns the server's memory at first and at the end, in MB."""
    headers = {"x-publishable-api-key": facts["publishable"], "x-graphql-request": "true"}
    callers = [Caller(facts, number, Client(server.port, tally, headers)) for number in range(CALLERS)]
    threads = [threading.Thread(target=caller.run, args=[tally], daemon=True) for caller in callers]
    for thread in threads:
        thread.start()
    at_first = 0.0
    while any(thread.is_alive() for thread in threads):
        time.sleep(1)
        if not at_first and tally.sent >= SETTLED * tally.wanted:
            at_first = _megabytes(server.pid)
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{tally.sent} of {tally.wanted}")
    return at_first, _megabytes(server.pid)


def _megabytes(pid: int) -> float:
    return sum(proportional_megabytes(each) for each in tree(pid))


def tell(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
