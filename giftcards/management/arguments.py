"""Argument types of commands."""

from argparse import ArgumentTypeError
from datetime import datetime
from decimal import Decimal, InvalidOperation

from commerce.kit.core.timestamps import parse_moment


def moment(text: str) -> datetime:
    """ISO 8601; UTC without a time zone."""
    read = parse_moment(text)
    if read is None:
        raise ArgumentTypeError(f"'{text}' is not an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z")
    return read


def amount(text: str) -> Decimal:
    """A number in decimal notation."""
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise ArgumentTypeError(f"'{text}' is not an amount") from error
