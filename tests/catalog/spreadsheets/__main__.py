"""`python -m tests.catalog.spreadsheets`: what imports and exports of 100,000 rows with 25 columns cost.

On a PostgreSQL server of its own, each step in a process of its own: seconds of CPU of Python and of PostgreSQL, the
memory it takes on top of what the process had before, and its longest transactions: by the clock, which counts what
else the machine does, in CPU time of both, and how many records they had. The products that it has imported go out and
come back: no row of any table may change, and the second file must have the same bytes.
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import django

from tests.catalog.spreadsheets.memory import peak
from tests.plugins.clusters import Cluster, find_programs

_TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.catalog.spreadsheets")
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args().rows
    programs = find_programs()
    if programs is None:
        sys.exit("PostgreSQL is not installed: set PG_BIN.")
    with TemporaryDirectory() as directory:
        cluster = Cluster(programs)
        os.environ.update({"DATABASE_URL": cluster.url, "DATABASE_SOCKET": str(cluster.socket)})
        os.environ.update(COMMERCE_ENV="development", DJANGO_SETTINGS_MODULE="commerce.settings", LOG_LEVEL="ERROR")
        os.environ["EXPORT_DIR"] = directory
        django.setup()
        try:
            from tests.catalog.spreadsheets import steps  # noqa: PLC0415 - once Django is ready

            steps.all_of_them(Path(directory), rows, measured)
        finally:
            cluster.stop()


def measured(name: str, step: Callable[[], object]) -> None:
    """Do the step in a process of its own, and print what it costs."""
    process = multiprocessing.get_context("fork").Process(target=_measure, args=(name, step))
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(f"{name} failed")


def _measure(name: str, step: Callable[[], object]) -> None:
    from django.db import connection  # noqa: PLC0415 - once Django is ready

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    taken = list[tuple[float, float, int]]()
    with _timed(taken, backend):
        before, python, postgresql = peak(), time.process_time(), _cpu(backend)
        said = step()
        python, postgresql = time.process_time() - python, _cpu(backend) - postgresql
    longest = ", ".join(f"{clock:.2f} s ({cpu:.2f} of CPU, {size})" for clock, cpu, size in sorted(taken)[-3:])
    sys.stdout.write(
        f"{name}: {python:.1f} s of CPU, PostgreSQL {postgresql:.1f} s, +{peak() - before} MB"
        f"{f'; {len(taken)} transactions, longest {longest}' if taken else ''}; {said}\n"
    )
    sys.stdout.flush()


@contextmanager
def _timed(taken: list[tuple[float, float, int]], backend: int) -> Iterator[None]:
    """Puts down how long each batch's transaction takes, of which it holds locks for the most part."""
    from kit.spreadsheets.batches import Work  # noqa: PLC0415 - once Django is ready

    do = Work._do

    def timed(work: Work, batch: Sequence[Any]) -> None:
        clock, cpu = time.perf_counter(), time.process_time() + _cpu(backend)
        do(work, batch)
        taken.append((time.perf_counter() - clock, time.process_time() + _cpu(backend) - cpu, len(batch)))

    with patch.object(Work, "_do", timed):
        yield


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


if __name__ == "__main__":
    main()
