"""How many rows each table has."""

from django.db import connection
from django.db.backends.utils import CursorWrapper


def row_counts() -> dict[str, int]:
    """The number of rows by table, of all tables of the database."""
    with connection.cursor() as cursor:
        return {table: _count(cursor, table) for table in sorted(connection.introspection.table_names(cursor))}


def _count(cursor: CursorWrapper, table: str) -> int:
    cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - a name from the database
    return int(cursor.fetchone()[0])
