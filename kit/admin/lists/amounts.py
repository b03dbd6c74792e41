"""How screens show money."""

from decimal import Decimal

from django.utils.html import format_html

from kit.values.written_amounts import written


def shown(amount: Decimal, currency_code: str) -> str:
    """`$1,250.00`."""
    return written(amount, currency_code)


def amount_cell(amount: Decimal, currency_code: str) -> str:
    """The amount with its currency, as HTML that is not wrapped."""
    return format_html('<span class="whitespace-nowrap">{}</span>', shown(amount, currency_code))
