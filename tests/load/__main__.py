"""`python -m tests.load`: ten minutes of shoppers, staff and a program, while processes are killed.

PostgreSQL crashes once. The callers are locust's (tests/load/callers.py). Exit code 1 if a request failed for which no
fault was an excuse, if memory grew by a tenth, or if the books of orders, stock, credit, webhooks, emails and the
payment provider do not agree. Linux only.

With `--beside ../other`, a checkout of another version with a .venv, a second server runs on the same database from
there, and half of the requests go to it: what operators do while they upgrade, and when they go back.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from tests.bench.places import Place, own_cluster
from tests.bench.processes import PROC, WebServer, proportional_megabytes, tree
from tests.kit.messages.webhooks.receiver import Receiver, receiving
from tests.load.faults import SETTLED, Faults, spread
from tests.load.judging import judged, judged_server, summary
from tests.load.place import load_place
from tests.operations.redis_server import RedisServer
from tests.plugins.clusters import Cluster
from tests.ports import free_port

WORKERS = 2
DURABLE = ("synchronous_commit=on", "max_connections=120")
STOP_SECONDS = 90
MOST_REPORTED = 50
LOG, LOG_BESIDE = "serve.log", "serve-beside.log"
IN_REDIS = ("THROTTLES_IN_REDIS", "SESSIONS_IN_REDIS", "TASKS_IN_REDIS")


def main() -> None:
    options = parsed_options()
    with ExitStack() as stack:
        cluster, directory = stack.enter_context(own_cluster("The load test", settings=DURABLE))
        wrongs = run(cluster, directory, stack.enter_context(receiving()), options)
        for wrong in wrongs[:MOST_REPORTED]:
            tell(wrong)
        if wrongs:
            tell("\n".join((directory / LOG).read_text().splitlines()[-MOST_REPORTED:]))
    sys.exit(f"{len(wrongs)} things are wrong." if wrongs else None)


def parsed_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.load")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long it takes (default: %(default)s)")
    parser.add_argument("--kills", type=int, default=20, help="of processes (default: %(default)s)")
    parser.add_argument("--shoppers", type=int, default=30)
    parser.add_argument("--staff", type=int, default=3, choices=range(1, 4))
    parser.add_argument("--redis", action="store_true", help="queue tasks in Redis, and keep sessions and counts there")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="of another version, whose server takes turns")
    return parser.parse_args()


def run(cluster: Cluster, directory: Path, receiver: Receiver, options: argparse.Namespace) -> list[str]:
    """What is wrong at the end."""
    place = load_place(cluster, directory)
    facts = directory / "facts"
    facts.write_bytes(output("tests.load.shop", receiver.url, place=place))
    with ExitStack() as stack:
        if options.redis:
            redis = RedisServer()
            stack.callback(redis.remove)
            place.environment |= {"REDIS_URL": redis.url, **dict.fromkeys(IN_REDIS, "True")}
        servers = [_serving(place, directory / LOG, Path.cwd(), stack)]
        if options.beside:
            servers.append(_serving(place, directory / LOG_BESIDE, options.beside, stack))
        faults = Faults([server.pid for server in servers], cluster)
        memory = _under_load(servers, faults, directory, options)
        output("tests.load.settling", place=place)
    lines = [orjson.loads(line) for line in (directory / "results").read_bytes().splitlines()]
    tell(summary(lines, faults))
    tell(f"memory: {memory[0]:.0f} MB at first, {memory[1]:.0f} MB at the end")
    given = {"facts": orjson.loads(facts.read_bytes()), "lines": [line for line in lines if "at" not in line]}
    given["events"] = [request.event["id"] for request in receiver.requests]
    audited: dict[str, Any] = orjson.loads(output("tests.load.audit", place=place, given=orjson.dumps(given)))
    tell(", ".join(f"{count} {what}" for what, count in audited["counts"].items()))
    return [*judged(lines, faults), *judged_server(*memory, faults, kills=options.kills), *audited["wrongs"]]


def _serving(place: Place, log: Path, checkout: Path, stack: ExitStack) -> WebServer:
    port = free_port()
    python = str(checkout / ".venv/bin/python") if checkout != Path.cwd() else sys.executable
    command = [python, "manage.py", "serve", "--port", str(port), "--workers", str(WORKERS)]
    server = WebServer(command, place.environment, port=port, log=log, directory=checkout)
    stack.callback(server.stop)
    return server


def _under_load(
    servers: Sequence[WebServer], faults: Faults, directory: Path, options: argparse.Namespace
) -> tuple[float, float]:
    """Run the callers while faults happen; returns the memory of the servers at first and at the end, in MB."""
    hosts = [f"http://127.0.0.1:{server.port}" for server in servers]
    words = ["-f", "tests/load/callers.py", "--headless", "--only-summary", "--host", hosts[0]]
    users = str(options.shoppers + options.staff + 1)
    words += ["--users", users, "--spawn-rate", "10", "--stop-timeout", str(STOP_SECONDS), "--exit-code-on-error", "0"]
    words += ["--run-time", f"{options.seconds:.0f}s", "--loglevel", "WARNING"]
    environment = os.environ | {
        "LOAD_FACTS": str(directory / "facts"),
        "LOAD_RESULTS": str(directory / "results"),
        "LOAD_SHOPPERS": str(options.shoppers),
        "LOAD_STAFF": str(options.staff),
        "PYTHONPATH": os.curdir,
        "LOAD_BESIDE": hosts[1] if len(hosts) > 1 else "",
    }
    began = time.monotonic()
    with (directory / "locust.log").open("wb") as log:
        callers = subprocess.Popen(
            [sys.executable, "-m", "locust", *words], env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    try:
        _wait_until(began + options.seconds * SETTLED)
        at_first = _megabytes(servers)
        for moment, is_database in spread(options.kills, options.seconds):
            _wait_until(began + moment)
            if is_database:
                faults.restart_database()
            else:
                faults.kill()
        _wait_until(began + options.seconds - 1)
        at_the_end = _megabytes(servers)
        code = callers.wait(timeout=STOP_SECONDS + 60)
    finally:
        callers.kill()
    if code:
        raise RuntimeError((directory / "locust.log").read_text())
    return at_first, at_the_end


def _wait_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))


def _megabytes(servers: Iterable[WebServer]) -> float:
    """Of all processes of the servers. Prints each."""
    pids = [pid for server in servers for pid in tree(server.pid)]
    processes = {f"{pid} {_name(pid)}": proportional_megabytes(pid) for pid in pids}
    tell("; ".join(f"{name} {megabytes:.0f} MB" for name, megabytes in processes.items()))
    return sum(processes.values())


def _name(pid: int) -> str:
    return (PROC / f"{pid}/comm").read_text().strip()


def output(module: str, *words: str, place: Place, given: bytes = b"") -> bytes:
    environment = place.environment | {"LOG_LEVEL": "WARNING"}
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, input=given, env=environment, stdout=subprocess.PIPE, check=True).stdout


def tell(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
