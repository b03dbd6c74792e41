"""Counts the SQL statements of each case: `python -m tests.bench.statements FACTS`, in the database's environment."""

import sys

import django
import orjson

django.setup()

from django.db import connection  # noqa: E402 - Django's apps must be ready first
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from tests.bench.cases import CASES, Case  # noqa: E402

NOT_COUNTED = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK")


def count(case: Case, facts: dict[str, str]) -> int:
    """The statements of the second request; the first may fill caches."""
    head, _, body = case.request(facts).decode().partition("\r\n\r\n")
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ")
    headers = dict(line.split(": ", 1) for line in lines)
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            Client().generic(method, path, body, content_type="application/json", headers=headers)
    # A statement prepared by the driver has no text here, and is none of those that do not count.
    return sum(not (query["sql"] or "").startswith(NOT_COUNTED) for query in queries)


def main() -> None:
    facts = orjson.loads(sys.argv[1])
    sys.stdout.buffer.write(orjson.dumps({case.name: count(case, facts) for case in CASES}))


if __name__ == "__main__":
    main()
