"""The numbers of orders: gapless, and ascending by commit.

Why: docs/decisions/orders.md#order-numbers-are-gapless.
"""

from functools import cache

from django.conf import settings

from kit.database.raw_sql import fetch
from kit.database.sql_names import table
from orders.models import OrderNumber


def take_number() -> int:
    """The next number. Call it as late as the transaction allows: it locks all other takers out until the end.

    One statement. A transaction that is rolled back gives its number back.
    """
    ((number,),) = fetch(_statement(), [settings.FIRST_ORDER_NUMBER])
    return int(number)


@cache
def _statement() -> str:
    numbers = table(OrderNumber)
    return (
        f"INSERT INTO {numbers} (id, last) VALUES (1, %s) "  # noqa: S608 - a name of our own
        f"ON CONFLICT (id) DO UPDATE SET last = {numbers}.last + 1 RETURNING last"
    )


def shown_number(number: int) -> str | None:
    """The number in the shop's own form, by settings.ORDER_NUMBER_FORMAT (`W-{number:06}`); None without one."""
    return settings.ORDER_NUMBER_FORMAT.format(number=number) if settings.ORDER_NUMBER_FORMAT else None
