"""The numbers of documents: gapless for each kind and year, with times that never fall.

Why: docs/decisions/invoices.md#numbers-are-taken-last.
"""

from datetime import date, datetime
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.db import connection
from django.utils.timezone import localdate

from kit.database.raw_sql import fetch
from kit.database.sql_names import table
from kit.values.timestamps import iso, now, parse_moment
from orders.models import InvoiceNumber
from orders.states import InvoiceKind


class Numbered(NamedTuple):
    """A number, and the moment of the document that has it. day: in the shop's time zone."""

    number: int
    issued_at: datetime
    day: date

    def shown(self, kind: InvoiceKind) -> str:
        """As it is printed."""
        is_invoice = kind == InvoiceKind.INVOICE
        shape = settings.INVOICE_NUMBER_FORMAT if is_invoice else settings.CREDIT_NOTE_NUMBER_FORMAT
        return str(shape.format(year=self.day.year, number=self.number))


def take_number(kind: InvoiceKind) -> Numbered:
    """The next number of the kind in this year. It locks all other takers out until the transaction ends.

    One statement. A transaction that is rolled back gives its number back. Who takes both kinds takes that of the
    credit note first. The moment is never before that of the number before, whatever the clocks of the servers say.
    """
    moment = now()
    year = localdate(moment).year
    taken_at = connection.ops.adapt_datetimefield_value(moment)
    ((number, taken),) = fetch(_statement(connection.vendor), [kind.value, year, taken_at])
    issued_at = parse_moment(iso(taken)) or moment
    return Numbered(int(number), issued_at, localdate(issued_at))


@cache
def _statement(vendor: str) -> str:
    numbers = table(InvoiceNumber)
    later = "greatest" if vendor == "postgresql" else "max"
    return (
        f"INSERT INTO {numbers} (kind, series_year, last, taken_at) VALUES (%s, %s, 1, %s) "  # noqa: S608 - our own names
        f"ON CONFLICT (kind, series_year) DO UPDATE SET last = {numbers}.last + 1, "
        f"taken_at = {later}({numbers}.taken_at, excluded.taken_at) RETURNING last, taken_at || ''"
    )
