"""`python -m tests.bench.under_attack`: how long /store/regions takes while strangers try to stop the shop.

The server is `manage.py serve` with two web processes, on PostgreSQL. Each attack comes RUNS times, and a quiet run
before each: the medians of their 95th percentiles are compared. `--tree` names another checkout, whose product and data
are measured by these same attacks. Linux only.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import orjson

from tests.bench import accounts
from tests.bench.attacks import Attack, attacks
from tests.bench.places import own_cluster, postgresql_place
from tests.bench.processes import PROC, WebServer, proportional_megabytes, tree
from tests.plugins.clusters import Cluster
from tests.ports import free_port

HERE = Path(__file__).parents[2]
KILLED = "killed web processes"
WORKERS = 2
PRODUCTS = 10_000
SECONDS = 4.0
"""Of each run."""
RUNS = 5
AIM = 25.0
"""Milliseconds that an attack may add to the 95th percentile."""
PATIENCE = 10.0
PAUSE = 0.05
PATH = "/store/regions"
_HEADINGS = f"{'quiet':>8}{'attacked':>9}{'more':>8}{'slowest':>9}{'failed':>8}"
WITHOUT_LIMITS = {"FLOOD_ATTEMPTS": "1000000", "LOG_LEVEL": "ERROR"}


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of consecutive requests, each on its own connection; `failed` counts those without an answer."""

    p95: float
    most: float
    failed: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.under_attack", description=__doc__)
    parser.add_argument("--tree", type=Path, default=HERE, help="the checkout to measure")
    parser.add_argument("--products", type=int, default=PRODUCTS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each run lasts")
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each attack comes")
    parser.add_argument("--only", default="", help="part of an attack's name")
    options = parser.parse_args()
    with own_cluster("The bench") as (cluster, _):
        run(
            cluster,
            options.tree.resolve(),
            products=options.products,
            runs=options.runs,
            seconds=options.seconds,
            only=options.only,
        )


def run(
    cluster: Cluster,
    checkout: Path = HERE,
    *,
    products: int = PRODUCTS,
    runs: int = RUNS,
    seconds: float = SECONDS,
    only: str = "",
) -> None:
    """Fill a shop of that checkout, serve it, and print a line for each attack."""
    environment = {**postgresql_place(cluster, "attacked").environment, **WITHOUT_LIMITS}
    command = [sys.executable, "-m", "tests.bench.shop_data", "products", str(products)]
    facts = orjson.loads(
        subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, check=True).stdout
    )
    accounts.fill(checkout, environment)
    port, key = free_port(), facts["publishable"]
    words = ["manage.py", "serve", "--port", str(port), "--workers", str(WORKERS)]
    log = cluster.socket / "serve.log"
    server = WebServer(["env", "--chdir", str(checkout), sys.executable, *words], environment, port=port, log=log)
    try:
        _print(f"\nunder attack: {PATH} in ms; {products:,} products, {WORKERS} web processes")
        _print(f"{'95th percentile, and slowest':34}{_HEADINGS}  MB a process  answered to attackers")
        facts["variants"] = _variants(port, key)
        latency(port, key, seconds=3)
        for attack in attacks(facts):
            if only in attack.name:
                _print(_compared(attack, server, key, runs=runs, seconds=seconds))
        if only in KILLED:
            _print(killed(server, port, key))
    finally:
        server.stop()


def _compared(attack: Attack, server: WebServer, key: str, *, runs: int, seconds: float) -> str:
    """The line of an attack: quiet runs and attacked ones, in turns."""
    quiet, beside, answered = [], [], Counter[str]()
    for _ in range(runs):
        quiet.append(latency(server.port, key, seconds=seconds))
        attacked, answers = under(attack, server.port, key, seconds=seconds)
        beside.append(attacked)
        answered += Counter(answers)
        memory = _megabytes(server.pid)
        _until(lambda: latency(server.port, key, seconds=1).most < 100)  # idle again, before the next run
    before, during = (statistics.median(each.p95 for each in those) for those in (quiet, beside))
    missed = "" if during <= before + AIM else "  more than the aim"
    most, failed = max(each.most for each in beside), sum(each.failed for each in beside)
    figures = f"{before:8.0f}{during:9.0f}{during - before:+8.0f}{most:9.0f}{failed:8}"
    return f"{attack.name:34}{figures}  {memory:>12}  {dict(answered)}{missed}"


def under(attack: Attack, port: int, key: str, *, seconds: float) -> tuple[Latency, dict[str, int]]:
    """The latency during the attack, and the attackers' answers by status."""
    command = [sys.executable, "-m", "tests.bench.attackers", str(port), attack.mode, str(attack.connections)]
    with tempfile.TemporaryFile() as texts, tempfile.TemporaryFile() as seen:
        texts.write(orjson.dumps(attack.texts))
        texts.seek(0)
        with subprocess.Popen(command, cwd=HERE, stdin=texts, stdout=seen) as attackers:
            time.sleep(1.0)
            beside = latency(port, key, seconds=seconds)
            if attack.mode == "once":
                _until(lambda: attackers.poll() is not None)
            attackers.terminate()
        seen.seek(0)
        return beside, orjson.loads(seen.read())


def latency(port: int, key: str, *, seconds: float) -> Latency:
    """What a shopper sees."""
    taken: list[float] = []
    failed = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        failed += not _answers(port, key)
        taken.append((time.perf_counter() - began) * 1000)
        time.sleep(PAUSE)
    p95 = statistics.quantiles(taken, n=20, method="inclusive")[-1] if len(taken) > 1 else taken[0]
    return Latency(p95, max(taken), failed)


def killed(server: WebServer, port: int, key: str) -> str:
    """Kill every web process as soon as it is there, three times, a second apart."""
    began = time.monotonic()
    for _ in range(3):
        _until(lambda: bool(_web_processes(server.pid)))
        for pid in _web_processes(server.pid):
            os.kill(pid, signal.SIGKILL)
        time.sleep(1.0)
    _until(lambda: _answers(port, key))
    lives = bool(tree(server.pid)[1:])
    return (
        f"{'killed web processes':32} answered again {time.monotonic() - began - 3:.1f} s later, serve lives: {lives}"
    )


def _variants(port: int, key: str) -> list[str]:
    """A thousand that are in stock."""
    found: list[str] = []
    for offset in range(0, 3000, 1000):
        web = HTTPConnection("127.0.0.1", port, timeout=60)
        path = f"/store/product-variants?fields=id,inventory_quantity&limit=1000&offset={offset}"
        web.request("GET", path, headers={"x-publishable-api-key": key})
        variants = orjson.loads(web.getresponse().read())["variants"]
        found += [variant["id"] for variant in variants if variant["inventory_quantity"]]
        web.close()
    return found[:1000]


def _until(is_so: Callable[[], bool], *, seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.1)


def _answers(port: int, key: str) -> bool:
    web = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        web.request("GET", PATH, headers={"x-publishable-api-key": key})
        return web.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        web.close()


def _web_processes(pid: int) -> list[int]:
    """The children of a granian."""
    granians = [each for each in tree(pid) if b"granian" in _words(each)]
    return [each for each in granians if any(each in tree(other)[1:] for other in granians)]


def _words(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def _megabytes(pid: int) -> str:
    return "/".join(f"{proportional_megabytes(each):.0f}" for each in _web_processes(pid))


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
