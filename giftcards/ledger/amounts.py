"""Amounts of ledger entries."""

from decimal import Decimal

from kit.errors import InvalidData
from kit.values import money


def checked_amount(amount: Decimal, currency_code: str) -> int:
    """The amount, above 0 and exact in the currency, in 1/10,000. Raises InvalidData."""
    exact = money.exact(amount, currency_code)
    if exact <= 0:
        raise InvalidData("Amount must be greater than 0")
    return money.stored(exact)
