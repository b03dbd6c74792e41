"""What each case asks of the database: `python -m tests.bench.statements KIND FACTS`, in the database's environment.

Writes as JSON the number of SQL statements of each case of the kind, and the plans of those that are explained.
"""

import sys
from collections.abc import Callable
from typing import Any

import django
import orjson

django.setup()

from django.db import connection  # noqa: E402 - Django's apps must be ready first
from django.test import Client  # noqa: E402

from tests.bench.case import Case  # noqa: E402
from tests.bench.cases import CASES  # noqa: E402

NOT_COUNTED = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK")
Statement = tuple[str, Any]


def statements(case: Case, facts: dict[str, Any]) -> list[Statement]:
    """Text and parameters of each statement of the second request; the first may fill caches."""
    head, _, body = case.request(facts).partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, path, _ = first.split(" ")
    headers = dict(line.split(": ", 1) for line in lines if not line.startswith("content-"))
    seen: list[Statement] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append((sql, params))
        return execute(sql, params, many, context)

    for _ in range(2):
        seen.clear()
        with connection.execute_wrapper(note):
            Client().generic(method, path, body, content_type="application/json", headers=headers)
    return [each for each in seen if not each[0].startswith(NOT_COUNTED)]


def plans(seen: list[Statement]) -> list[str]:
    """How PostgreSQL runs the statements that read products, with the time and the buffers that it takes."""
    assert connection.connection is not None
    explained = []
    for sql, params in seen:
        if 'FROM "catalog_product"' in sql:
            cursor = connection.connection.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", params)
            explained.append("\n".join([sql, *(line for (line,) in cursor.fetchall())]))
    return explained


def main() -> None:
    kind, facts = sys.argv[1], orjson.loads(sys.argv[2])
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
