"""How many SQL statements completing a cart costs: as many for a hundred lines as for two.

BEGIN, COMMIT and SAVEPOINT do not count; reading the order for the answer does. The limit for a guest's cart that
`pp_system_default` pays is 60.
"""

from typing import Any

import pytest

from carts.lines.lines import NewLineItem
from carts.models import Cart
from giftcards.spending import cart_cards, cart_store_credit
from orders.models import Order
from tests.architecture.test_query_budgets import know_amounts, statements, store
from tests.contract.callers import Caller
from tests.customers.conftest import signed_in
from tests.factories.carts import PromotionFactory, shopper, sold_variant
from tests.factories.checkout import pay, ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import gift_card, store_credit

pytestmark = [pytest.mark.every(3), pytest.mark.once, pytest.mark.django_db(transaction=True)]


def bought_pieces(lines: int) -> list[NewLineItem]:
    """So many lines, each of a variant of its own with stock."""
    return [NewLineItem(sold_variant(10, in_stock=9).pk, 2) for _ in range(lines)]


def cost(caller: Caller, cart: Cart) -> list[str]:
    """The statements of completing the cart; the test has completed one of the same kind before, to fill caches."""
    know_amounts()
    with statements() as seen:
        response = caller.post(f"/store/carts/{cart.pk}/complete")
    assert response.json()["type"] == "order", response.content
    assert Order.objects.get(cart_id=cart.pk).items.count() == cart.items.count()
    return seen


def plain_cart(lines: int, customer_id: str | None = None, **given: Any) -> Cart:
    """A cart that is paid by a local provider."""
    return ready_cart(*bought_pieces(lines), customer_id=customer_id, **given)


def cart_with_promotion(lines: int, customer_id: str) -> Cart:
    """The same with a promotion whose uses are counted, all and by customer."""
    promotion = PromotionFactory(usage_limit=1000, usage_limit_per_customer=1)
    return plain_cart(lines, customer_id, promo_codes=[promotion.code])


def cart_with_credit(lines: int, customer_id: str) -> Cart:
    """That one, paid in part by a gift card and store credit."""
    cart, actor = cart_with_promotion(lines, customer_id), shopper(customer_id=customer_id)
    cart_cards.add_card(actor=actor, cart_id=cart.pk, code=gift_card(3).code)
    cart_store_credit.add_store_credit(actor=actor, cart_id=cart.pk)
    pay(cart)
    return cart


def test_a_completion_costs_as_many_statements_for_a_hundred_lines_as_for_two() -> None:
    guest = store()
    cost(guest, plain_cart(2))
    two, hundred = cost(guest, plain_cart(2)), cost(guest, plain_cart(100))
    assert (len(two), len(hundred)) == (43, 43)


def test_a_customer_and_a_promotion_add_to_it_whatever_the_lines() -> None:
    customer = CustomerFactory()
    caller = signed_in(customer)
    cost(caller, cart_with_promotion(2, customer.pk))
    two, hundred = (cost(caller, cart_with_promotion(lines, customer.pk)) for lines in (2, 100))
    assert (len(two), len(hundred)) == (54, 54)


def test_a_gift_card_and_store_credit_add_to_it_whatever_the_lines() -> None:
    customer = CustomerFactory()
    store_credit(customer, 12)
    caller = signed_in(customer)
    cost(caller, cart_with_credit(2, customer.pk))
    store_credit(customer, 3)
    two = cost(caller, cart_with_credit(2, customer.pk))
    store_credit(customer, 3)
    hundred = cost(caller, cart_with_credit(100, customer.pk))
    assert (len(two), len(hundred)) == (65, 65)


def test_a_repeated_completion_reads_the_order_alone() -> None:
    guest, cart = store(), plain_cart(2)
    cost(guest, cart)
    again = cost(guest, cart)
    assert len(again) == 9
