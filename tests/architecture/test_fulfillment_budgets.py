"""How many SQL statements a fulfillment costs: as many for a hundred lines as for two.

BEGIN, COMMIT and SAVEPOINT do not count. The limit for packing two lines is 45.
"""

import pytest

from orders.fulfillments import cancellation, delivery, shipping
from orders.fulfillments.labels import NewLabel
from orders.models import Order
from tests.architecture.test_query_budgets import know_amounts, statements
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import STAFF, kit_of, ordered, pack

pytestmark = pytest.mark.django_db(transaction=True)


def order_of(number: int) -> Order:
    """Of so many kits, each of two items."""
    place = StockLocationFactory()
    return ordered(*(kit_of((2, 9), (1, 9), location=place) for _ in range(number)))


def costs(order: Order, number: int) -> dict[str, int]:
    """The statements of each verb, for all lines at once."""
    know_amounts()
    with statements() as packed:
        made = pack(order, *[1] * number)
    with statements() as canceled:
        cancellation.cancel(actor=STAFF, fulfillment_id=made.pk)
    made = pack(order, *[1] * number)
    with statements() as shipped:
        shipping.ship(actor=STAFF, fulfillment_id=made.pk, labels=[NewLabel("T1"), NewLabel("T2")])
    with statements() as delivered:
        delivery.deliver(actor=STAFF, fulfillment_id=made.pk)
    sizes = {"pack": packed, "cancel": canceled, "ship": shipped, "deliver": delivered}
    return {verb: len(seen) for verb, seen in sizes.items()}


def test_each_verb_costs_as_many_statements_for_a_hundred_lines_as_for_two() -> None:
    costs(order_of(2), 2)
    two, hundred = costs(order_of(2), 2), costs(order_of(100), 100)
    assert two == hundred == {"pack": 17, "cancel": 14, "ship": 11, "deliver": 9}
