"""Runs SQL texts that read, without the ORM's overhead, for the few statements that every request runs.

On both databases timestamps and JSON are read as text: parsing them would cost more than everything else.
"""

from collections.abc import Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from kit.database.error_states import is_outdated

if connection.vendor == "postgresql":  # SQLite does without the 10 MB of its driver
    from kit.database import postgresql_statements

Row = tuple[Any, ...]


def fetch(text: str, parameters: Sequence[Any]) -> list[Row]:
    """All rows of one statement with `%s` placeholders."""
    try:
        return _fetch(text, parameters)
    except DatabaseError as error:
        if not is_outdated(error) or _in_transaction():
            raise
        return _fetch(text, parameters)


def command(text: str) -> None:
    """Run what has neither values nor rows, such as BEGIN."""
    opened = _opened()
    if opened.vendor == "postgresql" and postgresql_statements.tell(opened, text):
        return
    with opened.cursor() as cursor:
        cursor.execute(text)


def renew_if_dead() -> bool:
    """Drop the kept connection if the server has ended it since its last use; whether it had. Costs a statement.

    Asked first by what begins with a write, or knows no second try; most requests begin with reads, and ask only when
    one has failed.
    """
    if connection.alias != DEFAULT_DB_ALIAS:
        return False  # what a replica has lost, the primary reads
    if connection.connection is None or connection.in_atomic_block or connection.is_usable():
        return False
    connection.close()
    return True


def _fetch(text: str, parameters: Sequence[Any]) -> list[Row]:
    opened = _opened()
    if opened.vendor == "postgresql":
        return postgresql_statements.fetch(opened, text, parameters)
    with opened.cursor() as cursor:
        cursor.execute(text, parameters)
        rows: list[Row] = cursor.fetchall()
        return rows


def _opened() -> BaseDatabaseWrapper:
    """The thread's connection, open: looked up once, as each attribute of the proxy `connection` looks it up."""
    opened = connections[DEFAULT_DB_ALIAS]
    if opened.connection is None:  # else ensure_connection does nothing, at a twentieth of a statement's price
        opened.ensure_connection()
    return opened


def _in_transaction() -> bool:
    """One of Django's, or one that was begun by hand. Only PostgreSQL's statements can be outdated."""
    return connection.in_atomic_block or not postgresql_statements.is_idle(connection.connection)
