"""Values as the text of a cell. An empty cell is a value that the row does not have."""

from datetime import datetime
from decimal import Decimal

from kit.values import money
from kit.values.timestamps import isoformat

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def text(value: object, _: str) -> str:
    """A text that no spreadsheet takes for a formula: one that begins like a formula gets an apostrophe in front.

    Source: https://owasp.org/www-community/attacks/CSV_Injection.
    """
    shown = "" if value is None else str(value)
    return f"'{shown}" if shown.startswith(_FORMULA_STARTS) else shown


def number(value: int, _: str) -> str:
    """A whole number."""
    return str(value)


def flag(value: bool, _: str) -> str:
    """`true` or `false`."""
    return "true" if value else "false"


def amount(value: Decimal, currency_code: str) -> str:
    """An amount in major units with all decimals of its currency, such as 12.50; negative ones are no formulas."""
    return f"{money.rounded(value, currency_code):f}"


def moment(value: datetime | None, _: str) -> str:
    """UTC in ISO 8601, such as 2026-11-23T05:20:00.000Z."""
    return "" if value is None else isoformat(value)
