"""What each case asks of the database: `python -m tests.bench.statements KIND`, in the database's environment.

Reads the facts as JSON; writes as JSON the number of SQL statements of each case of the kind, and the plans of those
that are explained.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import django
import orjson
from psycopg import sql
from psycopg.adapt import PyFormat, Transformer

django.setup()

from django.db import connection
from django.test import Client

from tests.bench.case import COUNTED_RUNS, Case, Facts
from tests.bench.cases import CASES

NOT_COUNTED = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK")
SETTLED = 6
"""Runs after which PostgreSQL may keep a plan for all values."""
Statement = tuple[str, Any]
_UNKNOWN = 705
"""The type of what PostgreSQL is to find out."""


def statements(case: Case, facts: Facts) -> list[Statement]:
    """Text and parameters of each statement of the last run; the first may fill caches."""
    seen: list[Statement] = []

    def note(execute: Callable[..., Any], text: str, parameters: Any, *more: Any) -> Any:
        seen.append((text, parameters))
        return execute(text, parameters, *more)

    for repetition in range(COUNTED_RUNS):
        seen.clear()
        with connection.execute_wrapper(note):
            _send(case.request(facts, repetition))
    return [each for each in seen if not each[0].startswith(NOT_COUNTED)]


def _send(request: bytes) -> None:
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, path, _ = first.split(" ")
    headers = dict(line.split(": ", 1) for line in lines if not line.startswith("content-"))
    Client().generic(method, path, body, content_type="application/json", headers=headers)


def plans(seen: list[Statement]) -> list[str]:
    """How PostgreSQL runs the statements that read products, once prepared and settled: with time and buffers."""
    return [_plan(text, parameters) for text, parameters in seen if 'FROM "catalog_product"' in text]


def _plan(text: str, parameters: Sequence[Any]) -> str:
    opened = connection.connection
    assert opened is not None  # the requests have opened it
    first, *others = text.split("%s")
    numbered = "".join([first, *(f"${number}{piece}" for number, piece in enumerate(others, 1))])
    opened.execute(f"PREPARE asked ({_types(parameters)}) AS {numbered}".encode())
    execute = sql.SQL("EXECUTE asked ({})").format(sql.SQL(", ").join(map(sql.Literal, parameters)))
    for _ in range(SETTLED):
        opened.execute(execute)
    lines = opened.execute(sql.SQL("EXPLAIN (ANALYZE, BUFFERS) {}").format(execute)).fetchall()
    opened.execute("DEALLOCATE asked")
    return "\n".join([numbered, *(line for (line,) in lines)])


def _types(parameters: Sequence[Any]) -> str:
    """Those that the driver gives them: some statements, such as sums of parameters, have no other hint."""
    sent = Transformer(connection.connection)
    sent.dump_sequence(parameters, [PyFormat.AUTO] * len(parameters))
    with connection.cursor() as cursor:
        oids = [oid or _UNKNOWN for oid in sent.types or ()]
        cursor.execute("SELECT format_type(oid, NULL) FROM unnest(%s::oid[]) oid", [oids])
        return ", ".join(name for (name,) in cursor.fetchall())


def main() -> None:
    kind, facts = sys.argv[1], orjson.loads(sys.stdin.buffer.read())
    counts, explained = {}, {}
    for case in CASES:
        if case.data == kind:
            seen = statements(case, facts)
            counts[case.name] = len(seen)
            if case.is_explained and connection.vendor == "postgresql":
                explained[case.name] = plans(seen)
    sys.stdout.buffer.write(orjson.dumps({"counts": counts, "plans": explained}))


if __name__ == "__main__":
    main()
