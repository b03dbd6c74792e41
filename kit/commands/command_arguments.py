"""Argument types of commands."""

from argparse import ArgumentTypeError
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from kit.values.timestamps import parse_moment

_LAST_OF_DAY = timedelta(hours=23, minutes=59, seconds=59, milliseconds=999)


def moment(text: str) -> datetime:
    """ISO 8601; UTC without a time zone."""
    read = parse_moment(text)
    if read is None:
        raise ArgumentTypeError(f"'{text}' is not an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z")
    return read


def moment_or_end_of_day(text: str) -> datetime:
    """The same; a date means the last millisecond of that day."""
    is_date = len(text) == len("2026-12-31")
    return moment(text) + _LAST_OF_DAY if is_date else moment(text)


def amount(text: str) -> Decimal:
    """A number in decimal notation."""
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ArgumentTypeError(f"'{text}' is not an amount") from error
