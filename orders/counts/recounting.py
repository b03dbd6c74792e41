"""Counting the orders again, while they are written."""

from django.db import connection, transaction

from orders.counts.tallies import Tally, tallies


def recount() -> None:
    """Make all kept counts right."""
    for tally in tallies(connection.vendor):
        correct(tally)


@transaction.atomic
def correct(tally: Tally) -> None:
    """Append what the table lacks. On PostgreSQL, writes of orders and folding do not wait, and change nothing in it.

    One statement reads the orders and the kept counts as of one moment. What other transactions commit later, their
    triggers append.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Two at once would append the same rows. Inserting and deleting rows is not blocked
            cursor.execute(f"LOCK TABLE {tally.table} IN SHARE UPDATE EXCLUSIVE MODE")
        cursor.execute(f"INSERT INTO {tally.table} ({tally.columns}, {tally.numbers}) {tally.differences}")
