"""Counting again what kept counts count (kit/derived/kept_counts.py), while it is written."""

from collections.abc import Sequence

from django.db import connection, transaction


@transaction.atomic
def append(table: str, columns: Sequence[str], differences: str) -> int:
    """Append what the table of counts lacks; returns how many rows. On PostgreSQL, neither writers nor folding wait.

    differences: the query for these rows. It reads what is counted and the kept counts as of one moment. What other
    transactions commit later, their triggers append.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Two at once would append the same rows. Inserting and deleting rows is not blocked
            cursor.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")
        cursor.execute(f"INSERT INTO {table} ({', '.join(columns)}) {differences}")
        return int(cursor.rowcount)
