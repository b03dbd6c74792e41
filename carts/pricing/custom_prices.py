"""Prices that staff set."""

from decimal import Decimal

from kit.errors import InvalidData
from kit.values.money import exact, stored


def custom_price(price: Decimal, currency_code: str, *, field: str) -> int:
    """The price in 1/10,000. price: in major units. Raises InvalidData naming the field."""
    units = stored(exact(price, currency_code, field=field))
    if units < 0:
        raise InvalidData(f"Value for field '{field}' too small: it must be at least 0")
    return units
