"""`python -m tests.bench.rush`: 1,000 shoppers complete their carts at once; the stock is 300 pieces in ten variants.

The server is `manage.py serve`, first with one web process, then with two, on a PostgreSQL that writes each commit to
its disk. Exit code 1 unless exactly the stock is sold, each answer is right, each order is paid and the books agree.
`--stock 1000` measures orders alone. Linux only.
"""

import argparse
import os
import statistics
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import orjson

from tests.bench.places import Place, own_cluster, postgresql_place
from tests.bench.processes import WebServer, cpu_seconds, tree
from tests.bench.under_attack import WITHOUT_LIMITS
from tests.plugins.clusters import Cluster
from tests.ports import free_port

FILLED = "rush"
DURABLE = ("fsync=on", "synchronous_commit=on", "full_page_writes=on")
LOOK_SECONDS = 0.01
ACTIVITY = "SELECT wait_event_type, state, query FROM pg_stat_activity WHERE datname = %s AND state <> 'idle'"
WAITS = {"orders_ordernumber": "the number", "catalog_inventorylevel": "stock", "COMMIT": "commit"}
"""What a backend that waits for a lock or the disk waits for, by a word of its statement."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rush", description=__doc__)
    parser.add_argument("--shoppers", type=int, default=1000)
    parser.add_argument("--stock", type=int, default=300)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="web processes (default: %(default)s)")
    options = parser.parse_args()
    with own_cluster("The bench", settings=DURABLE) as (cluster, directory):
        place = postgresql_place(cluster, FILLED)
        shop = _output("fill", str(options.shoppers), str(options.stock), place=place)
        wrongs = [wrong for workers in options.workers for wrong in rush(cluster, directory, shop, workers)]
    for wrong in wrongs:
        _print(wrong)
    sys.exit(f"{len(wrongs)} things are wrong." if wrongs else None)


def rush(cluster: Cluster, directory: Path, shop: Mapping[str, Any], workers: int) -> list[str]:
    """Print how it went with so many web processes; returns what is wrong at the end."""
    name = f"{FILLED}{workers}"
    place = postgresql_place(cluster, name, template=FILLED)
    place.environment |= {**WITHOUT_LIMITS, "EMAIL_URL": f"filemail:///{directory}"}
    port = free_port()
    words = [sys.executable, "manage.py", "serve", "--port", str(port), "--workers", str(workers)]
    server = WebServer(words, place.environment, port=port, log=directory / f"{name}.log")
    try:
        buy(port, shop["publishable"], shop["warming"])
        with Watch(cluster, name, server, place) as watch:
            answers = buy(port, shop["publishable"], shop["carts"])
    finally:
        server.stop()
    orders = [answer for answer in answers if answer["type"] == "order"]
    _print(_reported(workers, answers, orders))
    _print(watch.reported(max(answer["seconds"] for answer in answers), orders=len(orders)))
    given = {"variants": shop["variants"], "orders": [order["id"] for order in orders]}
    found: list[str] = _output("audit", place=place, given=orjson.dumps(given))
    return [*_wrong_answers(answers, sold=min(shop["stock"], len(answers))), *found]


def buy(port: int, key: str, carts: list[str]) -> list[dict[str, Any]]:
    """What each shopper was answered in the end."""
    command = [sys.executable, "-m", "tests.bench.buyers", str(port), key]
    ended = subprocess.run(command, input=orjson.dumps(carts), stdout=subprocess.PIPE, check=True)
    answers: list[dict[str, Any]] = orjson.loads(ended.stdout)
    return answers


class Watch:
    """What the server's and the database's processes cost and wait for during a block."""

    def __init__(self, cluster: Cluster, name: str, server: WebServer, place: Place) -> None:
        self._cluster, self._name, self._place = cluster, name, place
        self._web = _granians(server.pid)
        self._seen: Counter[str] = Counter()
        self._is_over = threading.Event()
        self._looking = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._load = os.getloadavg()[0]
        self._web_before, self._database_before = self._web_cpu(), self._place.cpu()
        self._looking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._looking.join()
        self._web_used = self._web_cpu() - self._web_before
        self._database_used = self._place.cpu() - self._database_before

    def reported(self, seconds: float, *, orders: int) -> str:
        looks = max(self._seen.pop("looks"), 1)
        doing = ", ".join(f"{what} {count / looks:.1f}" for what, count in self._seen.most_common())
        return (
            f"  CPUs busy: web {self._web_used / seconds:.2f}, PostgreSQL {self._database_used / seconds:.2f} "
            f"of {os.cpu_count()}; load before {self._load:.1f}\n"
            f"  CPU per order: web {self._web_used / orders * 1000:.1f} ms, "
            f"PostgreSQL {self._database_used / orders * 1000:.1f} ms\n"
            f"  PostgreSQL's processes, on average: {doing}"
        )

    def _look(self) -> None:
        with self._cluster.connect() as connection:
            while not self._is_over.wait(LOOK_SECONDS):
                self._seen["looks"] += 1
                self._seen.update(_doing(*row) for row in connection.execute(ACTIVITY, [self._name]))

    def _web_cpu(self) -> float:
        return sum(cpu_seconds(pid) for pid in self._web)


def _doing(wait: str | None, state: str, query: str) -> str:
    """In words, what a backend does that is not idle."""
    if state != "active":
        return "wait for the web process"
    if wait in (None, "Client"):
        return "run"
    return next((f"wait for {what}" for word, what in WAITS.items() if word in query), "wait for something else")


def _granians(pid: int) -> list[int]:
    """The web processes, each with the process that replaces it when it dies."""
    found = [each for each in tree(pid) if b"granian" in Path(f"/proc/{each}/cmdline").read_bytes()]
    return [each for each in found if not any(each in tree(other)[1:] for other in found)]


def _reported(workers: int, answers: list[dict[str, Any]], orders: list[dict[str, Any]]) -> str:
    times = sorted(order["seconds"] for order in orders)
    p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
    last = max(answer["seconds"] for answer in answers)
    repeated = Counter(status for answer in answers for status in answer["repeated"])
    return (
        f"{workers} web process{'es' * (workers > 1)}: {len(answers)} shoppers, {len(orders)} orders in "
        f"{times[-1]:.1f} s, all answered after {last:.1f} s\n"
        f"  {len(orders) / times[-1]:.0f} orders/s, {len(answers) / last:.0f} answers/s; an order was answered after "
        f"{statistics.median(times):.1f} s (median), {p95:.1f} s (95 %); asked again after {dict(repeated)}"
    )


def _wrong_answers(answers: list[dict[str, Any]], *, sold: int) -> list[str]:
    kinds = Counter((answer["status"], answer["type"], answer["code"]) for answer in answers)
    refused = len(answers) - sold
    expected = Counter({(200, "order", None): sold, (400, "not_allowed", "insufficient_inventory"): refused})
    return [] if kinds == +expected else [f"Answers: {dict(kinds)}"]


def _output(*words: str, place: Place, given: bytes = b"") -> Any:
    command = [sys.executable, "-m", "tests.bench.rush_data", *words]
    environment = place.environment | {"LOG_LEVEL": "WARNING"}
    ended = subprocess.run(command, input=given, env=environment, stdout=subprocess.PIPE, check=True)
    return orjson.loads(ended.stdout)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
