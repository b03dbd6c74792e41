"""What lists of 1,000,000 products cost beside those of 10,000: `python -m tests.bench.large --products 1000000`.

Fills a database for each size once (many_products) and keeps them in the directory. Prints milliseconds of CPU of this
process and of PostgreSQL for REST's page with its count, medians of the last five of eight; writes the plans beside
them.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson

from tests.bench import kept_cluster
from tests.bench.places import required_programs

SMALL = 10_000
MOST_WEB, MOST_DATABASE = 1.2, 3.0
"""How many times as much a page may cost of the large shop."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.large")
    parser.add_argument("--products", type=int, default=1_000_000)
    parser.add_argument("--directory", type=Path, default=Path("var/bench-large"))
    options = parser.parse_args()
    programs = required_programs("The bench")
    directory = options.directory.resolve()
    with kept_cluster.kept_cluster(programs, directory):
        small, large = (_measured(directory, size) for size in (SMALL, options.products))
    sys.stdout.write(_table(small, large))
    plans = directory / f"plans-{options.products}.txt"
    plans.write_text("\n\n".join(f"{name}\n{each['plan']}" for name, each in large.items()))
    sys.stdout.write(f"plans: {plans}\n")


def _measured(directory: Path, size: int) -> dict[str, dict[str, Any]]:
    name = f"products{size}"
    environment = kept_cluster.environment(directory, name)
    if kept_cluster.create(directory, name):
        try:
            subprocess.run([sys.executable, "-m", "tests.bench.many_products", str(size)], env=environment, check=True)
        except BaseException:
            kept_cluster.drop(directory, name)
            raise
    command = [sys.executable, "-m", "tests.bench.large_pages"]
    found: dict[str, dict[str, Any]] = orjson.loads(
        subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
    )
    return found


def _table(small: dict[str, dict[str, Any]], large: dict[str, dict[str, Any]]) -> str:
    lines = [f"{'':32}{'found':>10}{'':>10}{'web':>8}{'':>8}{'times':>6}{'DB':>9}{'':>9}{'times':>6}"]
    for name, there in large.items():
        here = small[name]
        web, database = there["web"] / here["web"], there["database"] / here["database"]
        misses = "  !" if web > MOST_WEB or database > MOST_DATABASE else ""
        lines.append(
            f"{name:32}{here['found']:>10}{there['found']:>10}{here['web']:>8.2f}{there['web']:>8.2f}{web:>6.1f}"
            f"{here['database']:>9.2f}{there['database']:>9.2f}{database:>6.1f}{misses}"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
