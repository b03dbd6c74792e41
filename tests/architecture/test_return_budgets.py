"""How many SQL statements a return costs: as many for a hundred lines as for two.

BEGIN, COMMIT and SAVEPOINT do not count.
"""

import pytest

from orders.models import Order
from orders.returns import cancellation
from tests.architecture.test_query_budgets import know_amounts, statements
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import kit_of
from tests.orders.returns.shop import STAFF, delivered, receive, request

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db]


def order_of(number: int) -> Order:
    """Of so many kits, each of two items and two units."""
    place = StockLocationFactory()
    return delivered(*((kit_of((2, 9), (1, 9), location=place), 2) for _ in range(number)))


def costs(order: Order, number: int) -> dict[str, int]:
    """The statements of each verb, for all lines at once; those of the tests' own lookups are among them."""
    know_amounts()
    with statements() as requested:
        first = request(order, *[1] * number)
    with statements() as received:
        receive(first, *[1] * number)
    second = request(order, *[1] * number)
    with statements() as canceled:
        cancellation.cancel(actor=STAFF, return_id=second.pk)
    return {name: len(seen) for name, seen in (("request", requested), ("receive", received), ("cancel", canceled))}


def test_each_verb_costs_as_many_statements_for_a_hundred_lines_as_for_two() -> None:
    two, hundred = costs(order_of(2), 2), costs(order_of(100), 100)
    assert two == hundred == {"request": 15, "receive": 32, "cancel": 13}
