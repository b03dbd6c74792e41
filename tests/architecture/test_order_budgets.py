"""How many SQL statements staff's verbs on an order cost: as many for many lines as for two.

BEGIN, COMMIT and SAVEPOINT do not count. Canceling costs further statements for each packed fulfillment.
"""

import pytest

from orders.managing import archiving, cancellation, completion, details, notes
from tests.architecture.test_fulfillment_budgets import order_of
from tests.architecture.test_query_budgets import know_amounts, statements
from tests.orders.fulfillments.shop import ordered, pack
from tests.orders.managing.shop import staff

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]


def cost_of_canceling(number: int) -> int:
    """Of an order of so many kits, one unit of each packed, the other two reserved."""
    actor, order = staff(), order_of(number)
    pack(order, *[1] * number)
    know_amounts()
    with statements() as seen:
        cancellation.cancel(actor=actor, order_id=order.pk)
    return len(seen)


def test_canceling_costs_as_many_statements_for_twenty_lines_as_for_two() -> None:
    cost_of_canceling(2)
    assert (cost_of_canceling(2), cost_of_canceling(20)) == (53, 53)


def test_the_other_verbs() -> None:
    actor, order = staff(), ordered()
    costs = {}
    for name, verb in (
        ("change", lambda: details.change(actor=actor, order_id=order.pk, email="b@example.com")),
        ("note", lambda: notes.add_note(actor=actor, order_id=order.pk, text="Call first")),
        ("complete", lambda: completion.complete(actor=actor, order_id=order.pk, note="Picked up")),
        ("archive", lambda: archiving.archive(actor=actor, order_id=order.pk)),
    ):
        with statements() as seen:
            verb()
        costs[name] = len(seen)
    assert costs == {"change": 8, "note": 3, "complete": 8, "archive": 4}
