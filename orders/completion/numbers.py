"""The numbers of orders: gapless, and ascending by commit.

Why: docs/decisions/orders.md#order-numbers-are-gapless.
"""

from django.conf import settings

from kit.writes.counters import next_number
from orders.models import OrderNumber


def take_number() -> int:
    """The next number. Call it as late as the transaction allows: it locks all other takers out until the end.

    One statement. A transaction that is rolled back gives its number back.
    """
    return next_number(OrderNumber, first=settings.FIRST_ORDER_NUMBER)


def shown_number(number: int) -> str | None:
    """The number in the shop's own form, by settings.ORDER_NUMBER_FORMAT (`W-{number:06}`); None without one."""
    return settings.ORDER_NUMBER_FORMAT.format(number=number) if settings.ORDER_NUMBER_FORMAT else None
