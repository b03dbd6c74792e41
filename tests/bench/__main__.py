"""`python -m tests.bench`: what a request costs, on PostgreSQL and on SQLite, beside the floor and Medusa.

Both servers run granian with one worker. CPU is user and system time of the web processes; the database's own
stands apart. Linux only.
"""

import argparse
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import orjson

from commerce.operations.server.web_server import APPLICATION, granian_command, web_server_command
from tests.bench import memory, report, under_attack
from tests.bench.data_sets import DATA_SETS, DataSet
from tests.bench.measuring import Subject, measure
from tests.bench.places import Place, own_cluster, postgresql_place, sqlite_place
from tests.bench.processes import WebServer
from tests.ports import free_port


def main() -> None:
    options = parsed_options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a bench that is ended ends its servers, too
    with ExitStack() as stack:
        cluster, directory = stack.enter_context(own_cluster("The bench"))
        document = {}
        for number, data in enumerate(DATA_SETS):
            for vendor in data.vendors:
                title = f"{data.title}, {vendor}"
                if options.only in title:
                    name = f"bench{number}"
                    on_postgresql = vendor == "postgresql"
                    place = postgresql_place(cluster, name) if on_postgresql else sqlite_place(directory, name)
                    document[title] = run(title, place, data, directory, options)
        sys.stdout.write(report.growth(document))
        if not options.only and not options.case:
            under_attack.run(cluster)
            memory.run()
        sys.stdout.write(f"\nwritten to {report.write(document)}\n")


def parsed_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--only", default="", help="part of a table's title, such as '100,000 products' or 'shop, sqlite'"
    )
    parser.add_argument("--case", default="", help="part of a case's name")
    return parser.parse_args()


def run(title: str, place: Place, data: DataSet, directory: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Fill the place, measure every case there, print its table."""
    facts = orjson.loads(output("tests.bench.shop_data", data.kind, str(data.size), place=place))
    asked = orjson.loads(output("tests.bench.statements", data.kind, place=place, given=orjson.dumps(facts)))
    with ExitStack() as stack:
        ours = stack.enter_context(started(APPLICATION, place, directory / "ours.log"))
        floor = None
        if place.vendor == "postgresql" and data.kind == "categories":
            place.environment |= {"FLOOR_OFFSET": "0", "FLOOR_TREES_OFFSET": str(facts["trees_offset"])}
            floor = stack.enter_context(started("tests.bench.floor:application", place, directory / "floor.log"))
        results = [
            measure(case, facts, ours, floor, rounds=options.rounds) | {"statements": asked["counts"][case.name]}
            for case in data.cases
            if options.case in case.name
        ]
        megabytes = ours.server.megabytes
    substitute = facts["substitute"]
    is_judged = data.is_judged and place.vendor == "postgresql" and substitute is None
    table = report.table(title, results, megabytes, is_judged=is_judged, substitute=substitute)
    sys.stdout.write(f"\n{table}\n")
    sys.stdout.flush()
    known = {key: facts[key] for key in ("count", "trees", "substitute") if key in facts}
    return {
        "results": results,
        "is_judged": is_judged,
        "megabytes": megabytes,
        "facts": known,
        "plans": asked["plans"],
    }


def output(module: str, *words: str, place: Place, given: bytes = b"") -> bytes:
    return subprocess.run(
        [sys.executable, "-m", module, *words],
        input=given,
        env=place.environment | {"LOG_LEVEL": "WARNING"},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout


@contextmanager
def started(application: str, place: Place, log: Path) -> Iterator[Subject]:
    port = free_port()
    if application == APPLICATION:
        command = web_server_command(host="127.0.0.1", port=port, workers=1)
    else:
        *words, target = granian_command(application, host="127.0.0.1", port=port, workers=1, interface="wsgi")
        command = [*words, "--blocking-threads", "4", target]
    server = WebServer(command, place.environment, port=port, log=log)
    try:
        yield Subject(server, place.cpu)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
