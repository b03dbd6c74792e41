"""Counting the orders again."""

from django.db import connection, transaction

from orders.counts.combinations import COUNTS, EVERY_ORDER, ORDERS, appended


def recount() -> None:
    """Replace the kept counts by what is counted now. On PostgreSQL, writes of orders wait meanwhile."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"LOCK TABLE {ORDERS} IN SHARE ROW EXCLUSIVE MODE")
            cursor.execute(f"LOCK TABLE {COUNTS} IN EXCLUSIVE MODE")  # also waits for a fold that has locked its rows
        cursor.execute(f"DELETE FROM {COUNTS}")  # noqa: S608 - a name of our own
        cursor.execute(appended(EVERY_ORDER))
