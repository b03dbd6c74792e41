"""Counting the orders again, while they are written."""

from django.db import connection

from commerce.kit.core.recounting import append
from orders.counts.tallies import tallies


def recount() -> None:
    """Make all kept counts of orders right."""
    for tally in tallies(connection.vendor):
        append(tally.table, (tally.columns, tally.numbers), tally.differences)
