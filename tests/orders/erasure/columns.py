"""Every text column of the database, whatever it is for."""

from collections.abc import Iterator

from django.db import connection

ENCRYPTED = ("idempotency_record", "body")


def holding(word: str) -> set[str]:
    """`table.column` of each that holds the word, in any letter case."""
    return {
        f"{table}.{column}"
        for table in connection.introspection.table_names()
        for column, values in _texts(table)
        if any(word in value for value in values)
    }


def kept_answers() -> int:
    """Stored answers that their key still opens."""
    table, column = ENCRYPTED
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table} WHERE length({column}) > 0")
        return int(cursor.fetchone()[0])


def _texts(table: str) -> Iterator[tuple[str, list[str]]]:
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')
        columns, rows = [each[0] for each in cursor.description], cursor.fetchall()
    for number, column in enumerate(columns):
        yield column, [_text(row[number]) for row in rows]


def _text(value: object) -> str:
    plain = bytes(value).decode("latin-1") if isinstance(value, bytes | memoryview) else str(value)
    return plain.lower()
