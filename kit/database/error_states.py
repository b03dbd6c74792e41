"""What the database's errors mean, by PostgreSQL's states (SQLSTATE) and SQLite's names. Loads neither driver."""

from django.db import Error, InterfaceError, OperationalError

OUTDATED = frozenset({"0A000", "26000"})
"""States of errors after which a statement may be prepared again: the columns of its result have changed, since its
table was migrated under a running server; or the session was cleared of its prepared statements by somebody else."""

# States of errors: the connection failed; there are too many; the server ends, has crashed, is starting.
_NOT_THERE = ("08", "53300", "57P")


def is_outdated(error: Error) -> bool:
    """Whether a prepared statement no longer fits its table. It is forgotten, so that the work may be done again."""
    return getattr(error.__cause__, "sqlstate", None) in OUTDATED


def was_canceled(error: OperationalError) -> bool:
    """Whether the statement was canceled: it took longer than statement_timeout or the request's budget."""
    cause = error.__cause__
    return getattr(cause, "sqlstate", None) == "57014" or getattr(cause, "sqlite_errorname", "") == "SQLITE_INTERRUPT"


def was_lost(error: Error) -> bool:
    """Whether PostgreSQL could not be reached, or ended the connection: it is restarted, or has crashed.

    What the transaction has changed is undone, unless it is COMMIT that was not answered: nobody knows then.
    """
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state: str | None = getattr(error.__cause__, "sqlstate", "")  # SQLite's errors have none
    return state is None or state.startswith(_NOT_THERE)
