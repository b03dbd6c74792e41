"""Amounts of gift cards and entries in the shop file."""

from decimal import Decimal

from kit.errors import InvalidData
from kit.shop_file.problems import Problems
from kit.shop_file.values import Entry
from kit.values import money


def paid(entry: Entry, field: str, currency_code: str, problems: Problems) -> Decimal | None:
    """The amount of the field, in major units, above 0 and exact in the currency; None after adding a problem."""
    try:
        amount = money.exact(entry.given[field], currency_code, field=field)
    except InvalidData as error:
        problems.add(f"{entry.path}.{field}", error.message)
        return None
    if amount <= 0:
        problems.add(f"{entry.path}.{field}", "must be greater than 0")
        return None
    return amount
