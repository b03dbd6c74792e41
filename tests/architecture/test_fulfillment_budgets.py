"""How many SQL statements a fulfillment costs: as many for a hundred lines as for two.

BEGIN, COMMIT and SAVEPOINT do not count. The limit for packing two lines is 45.
"""

import pytest

from orders.fulfillments import cancellation, delivery, shipping
from orders.fulfillments.labels import NewLabel
from orders.models import Order
from tests.architecture.test_query_budgets import admin, know_amounts, statements
from tests.contract.callers import Caller
from tests.factories.inventory import StockLocationFactory
from tests.orders.fulfillments.shop import STAFF, kit_of, lines, ordered, pack

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


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
    assert two == hundred == {"pack": 18, "cancel": 14, "ship": 15, "deliver": 9}


def cost_over_rest(caller: Caller, order: Order) -> int:
    """The statements of a request that packs one unit of each line."""
    know_amounts()
    items = [{"id": line.pk, "quantity": 1} for line in lines(order)]
    with statements() as seen:
        response = caller.post(f"/admin/orders/{order.pk}/fulfillments", {"items": items})
    assert response.status_code == 200, response.content
    return len(seen)


def test_a_request_that_packs_costs_as_many_statements_for_a_hundred_lines_as_for_two() -> None:
    caller = admin()
    cost_over_rest(caller, order_of(2))
    assert (cost_over_rest(caller, order_of(2)), cost_over_rest(caller, order_of(100))) == (29, 29)
