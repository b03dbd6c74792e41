"""How much of the disk the database and its tables take."""

from typing import NamedTuple

from django.db import connection

_TABLES = """
SELECT relname, pg_total_relation_size(relid), n_live_tup FROM pg_stat_user_tables WHERE schemaname = current_schema()
"""
_DATABASE = {
    "postgresql": "SELECT pg_database_size(current_database())",
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
}


class TableSize(NamedTuple):
    """size: in bytes, with indexes and long values. rows: about how many, as PostgreSQL counts while it works."""

    table: str
    size: int
    rows: int


def table_sizes() -> list[TableSize]:
    """Of every table; none on SQLite, which would have to read them. One statement."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        return [TableSize._make(row) for row in cursor.fetchall()]


def database_size() -> int:
    """The bytes of the whole database, free space included. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_DATABASE[connection.vendor])
        return int(cursor.fetchone()[0])
