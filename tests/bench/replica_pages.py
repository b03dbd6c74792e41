"""What pages of the catalogue cost with no, one and two read replicas: `python -m tests.bench.replica_pages`.

Prints the milliseconds of CPU that a page takes of the web process and of each PostgreSQL, medians of the rounds, and
how many pages a second these PostgreSQLs serve if each has a core: the one with the largest share is the limit. Other
work on the machine raises CPU times, too, but less than it slows down requests. Linux only.
"""

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import orjson

from commerce.operations.server.web_server import APPLICATION
from tests.bench.__main__ import output, started
from tests.bench.case import Case
from tests.bench.measuring import WARM_UP, Samples
from tests.bench.places import Place, own_cluster, postgresql_place
from tests.bench.processes import cpu_seconds
from tests.bench.product_cases import CASES
from tests.operations.replica import Replica
from tests.plugins.clusters import SUPERUSER

NAME, PRODUCTS, MOST_REPLICAS = "pages", 1000, 2
NAMES = ("20 products, all relations, prices", "storefront: of a category", "20 products, plain fields")


class PageReplica(Replica):
    """A replica with the filled database."""

    @property
    def address(self) -> str:
        return f"postgresql://{SUPERUSER}@/{NAME}?host={self.socket}"

    @property
    def pid(self) -> int:
        """Of its first process."""
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])


@dataclass(frozen=True)
class Bench:
    """facts: of the filled database, which the requests name. requests: in a round."""

    place: Place
    facts: Mapping[str, Any]
    directory: Path
    rounds: int
    requests: int

    def costs(self, case: Case, replicas: Sequence[PageReplica]) -> str:
        """What each process took for a page."""
        environment = {**self.place.environment, "DATABASE_REPLICA_URLS": ",".join(each.address for each in replicas)}
        place = Place("postgresql", environment, self.place.postmaster)
        requests = (case.request(dict(self.facts), number) for number in count())
        samples, shares = Samples(), []
        with started(APPLICATION, place, self.directory / "web.log") as web:
            web.round([*islice(requests, 2 * WARM_UP)], Samples())
            for _ in range(self.rounds):
                before = [cpu_seconds(each.pid) for each in replicas]
                web.round([*islice(requests, self.requests)], samples)
                used = [cpu_seconds(each.pid) - begin for each, begin in zip(replicas, before, strict=True)]
                shares.append([seconds * 1000 / self.requests for seconds in used])
        databases = [statistics.median(samples.database), *map(statistics.median, zip(*shares, strict=True))]
        listed = ", ".join(f"{each:.2f}" for each in databases)
        pages = 1000 / max(databases)
        return f"web {statistics.median(samples.web):.2f} ms, PostgreSQL {listed} ms: {pages:,.0f} pages a second"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.replica_pages")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=200, help="in a round (default: %(default)s)")
    options = parser.parse_args()
    with ExitStack() as stack:
        cluster, directory = stack.enter_context(own_cluster("The bench", settings=("wal_level=replica",)))
        place = postgresql_place(cluster, NAME)
        facts = orjson.loads(output("tests.bench.shop_data", "products", str(PRODUCTS), place=place))
        bench = Bench(place, facts, directory, options.rounds, options.requests)
        replicas: list[PageReplica] = []
        for number in range(MOST_REPLICAS + 1):
            if number:
                replicas.append(PageReplica(str(cluster.socket)))
                stack.callback(replicas[-1].stop)
            for case in (each for each in CASES if each.name in NAMES):
                say(f"{number} replicas, {case.name}: {bench.costs(case, replicas)}")


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
