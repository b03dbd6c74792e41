"""How PostgreSQL runs statements."""

from collections.abc import Callable
from typing import Any

from django.db import connection


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
