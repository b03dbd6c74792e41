"""What psycopg does not document and prepared statements rest on: `psycopg.generators.execute`.

It waits for the results of what was sent; other threads run meanwhile, and an interrupt cancels the statement. Where a
version of psycopg has no such function, or another one, `is_usable` says so, and statements run by cursor.
"""

from typing import Any

import psycopg
import structlog
from psycopg.pq import ExecStatus

log = structlog.get_logger(__name__)
execute: Any = getattr(getattr(psycopg, "generators", None), "execute", None)
"""`connection.wait(execute(connection.pgconn))` returns a list of PGresult. It raises psycopg's errors."""


def is_usable(connection: "psycopg.Connection[Any]") -> bool:
    """Whether `execute` works so. Costs one round trip, with an empty query. Raises psycopg's errors."""
    connection.pgconn.send_query(b"")
    try:
        results = connection.wait(execute(connection.pgconn))
        if [result.status for result in results] == [ExecStatus.EMPTY_QUERY]:
            return True
        problem = "its result is another"
    except psycopg.Error:
        raise
    except Exception as error:  # noqa: BLE001 - nobody knows what another function of that name raises
        problem = f"{type(error).__name__}: {error}"
    while connection.pgconn.get_result() is not None:
        pass
    log.warning("prepared_statements_are_off", function="psycopg.generators.execute", problem=problem)
    return False
