"""How many SQL statements the claims of a completion cost: as many for a hundred lines as for one.

BEGIN, COMMIT and SAVEPOINT do not count.
"""

from typing import Any

import pytest

from catalog.stock.stock_claims import LineClaim, claim_stock, release_stock
from giftcards.spending.holds import hold_credit, release_holds, spend_credit
from shop.models import Store
from tests.architecture.test_query_budgets import know_amounts, statements
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import cart_paid_by, gift_card, store_credit
from tests.factories.inventory import InventoryItemFactory, stock
from tests.factories.products import VariantFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("number", [1, 100])
def test_stock_is_claimed_and_released_by_three_statements(number: int) -> None:
    lines = []
    for line in range(number):
        variant, item = VariantFactory(manage_inventory=True), InventoryItemFactory()
        stock(variant, 1, item=item)
        stock(variant, 2, item=item)
        lines.append(LineClaim(f"line_{line}", variant.pk, 3))
    know_amounts()
    channel = Store.objects.get().default_sales_channel_id
    with statements() as claimed:
        claim_stock(lines, channel)
    with statements() as released:
        release_stock([line.line_item_id for line in lines])
    assert (len(claimed), len(released)) == (3, 3)


def credit_costs(*, cards: int, is_guest: bool) -> dict[str, int]:
    """The statements for so many gift cards, and a customer's store credit."""
    customer = CustomerFactory()
    sources: list[tuple[Any, int]] = [(gift_card(5), 4) for _ in range(cards)]
    if not is_guest:
        sources.append((store_credit(customer, 10), 3))
    cart = cart_paid_by(*sources, customer_id=None if is_guest else customer.pk)
    with statements() as held:
        hold_credit(attempt_id=f"one {customer.pk}", cart=cart)
    with statements() as released:
        release_holds(f"one {customer.pk}")
    hold_credit(attempt_id=f"two {customer.pk}", cart=cart)
    with statements() as spent_after_a_hold:
        spend_credit(order_id=f"order {customer.pk}", cart=cart, attempt_id=f"two {customer.pk}")
    cart = cart_paid_by(*((gift_card(5), 4) for _ in range(cards)), customer_id=cart.row.customer_id)
    with statements() as spent_at_once:
        spend_credit(order_id=f"other {customer.pk}", cart=cart, attempt_id=None)
    return {
        "hold": len(held),
        "release": len(released),
        "spend what is held": len(spent_after_a_hold),
        "spend at once": len(spent_at_once),
    }


@pytest.mark.parametrize(
    ("is_guest", "budget"),
    [
        (False, {"hold": 3, "release": 4, "spend what is held": 10, "spend at once": 9}),
        (True, {"hold": 2, "release": 3, "spend what is held": 9, "spend at once": 7}),
    ],
)
def test_credit_costs_as_many_statements_with_ten_cards_as_with_one(is_guest: bool, budget: dict[str, int]) -> None:
    assert credit_costs(cards=1, is_guest=is_guest) == credit_costs(cards=10, is_guest=is_guest) == budget
