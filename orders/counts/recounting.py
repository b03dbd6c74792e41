"""Counting the orders again."""

from django.db import connection, transaction

from orders.counts.tallies import ORDERS, tallies


def recount() -> None:
    """Replace the kept counts by what is counted now. On PostgreSQL, writes of orders wait meanwhile."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"LOCK TABLE {ORDERS} IN SHARE ROW EXCLUSIVE MODE")
        for tally in tallies(connection.vendor):
            if connection.vendor == "postgresql":
                # Also waits for a fold that has locked its rows
                cursor.execute(f"LOCK TABLE {tally.table} IN EXCLUSIVE MODE")
            cursor.execute(f"DELETE FROM {tally.table}")  # noqa: S608 - a name of our own
            cursor.execute(tally.appended(tally.every_order))
