"""How PostgreSQL runs statements."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from tests.plugins.clean_slate import is_superuser


def plans_of(read: Callable[[], object], *, options: str = "") -> list[tuple[str, str]]:
    """The text and the plan of each SELECT that `read` runs. options: of EXPLAIN, in parentheses."""
    found: list[tuple[str, str]] = []

    def explain(execute: Callable[..., Any], text: str, parameters: Any, *rest: Any) -> Any:
        if text.startswith(("SELECT", "WITH")):
            with connection.cursor() as cursor:
                cursor.cursor.execute(f"EXPLAIN {options} {text}", parameters)
                found.append((text, "\n".join(line for (line,) in cursor.fetchall())))
        return execute(text, parameters, *rest)

    with connection.execute_wrapper(explain):
        read()
    return found


def plan_as_if_large(prefix: str) -> None:
    """Lets PostgreSQL plan, until the transaction ends, as if its tables so named had a thousand times their rows.

    So a plan is that of a large shop, whatever rows and dead pages earlier tests have left. An empty table stays so.
    Skips the test where its role may not write to PostgreSQL's catalog.
    """
    if not is_superuser():
        pytest.skip("The role of the tests is not a superuser of PostgreSQL")
    with connection.cursor() as cursor:
        tables = [table for table in connection.introspection.table_names(cursor) if table.startswith(prefix)]
        cursor.execute(f"ANALYZE {', '.join(tables)}")
        cursor.execute("UPDATE pg_class SET reltuples = reltuples * 1000 WHERE relname = ANY(%s)", [tables])
