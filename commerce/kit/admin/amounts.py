"""How screens show money."""

from decimal import Decimal

from commerce.kit.core import money


def shown(amount: Decimal, currency_code: str) -> str:
    """`1,250.00 usd`."""
    return f"{money.rounded(amount, currency_code):,} {currency_code}"
