"""How many SQL statements gift cards and store credit cost: as many with a thousand groups and entries as with ten."""

from typing import Any

import pytest

from giftcards.models import StoreCreditAccount
from tests.architecture.many_credits import stock_credit
from tests.architecture.test_query_budgets import know_amounts, statements
from tests.contract.callers import Caller
from tests.customers.conftest import signed_in
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.giftcards import bought_gift_card, gift_card, store_credit
from tests.kit.graphql.calls import ask
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db


def cost(caller: Caller, method: str, path: str, body: Any = b"") -> int:
    """How many statements it takes, the credentials' and the answer's own among them."""
    with statements() as texts:
        response = caller.send(method, path, body)
    assert response.status_code == 200, response.content
    return len(texts)


def costs(groups: int, entries: int) -> dict[str, int]:
    """The statements of each change, for a customer with so many groups and entries in each."""
    ann = CustomerFactory()
    stock_credit(ann, groups=groups, entries=entries)
    know_amounts()
    caller = signed_in(ann)
    bought = bought_gift_card(placed().items.get())
    cart = make.cart(make.sold_variant(20), actor=make.shopper(customer_id=ann.pk))
    mutation = f'mutation {{ redeemGiftCard(idOrCode: "{gift_card().code}") {{ giftCard {{ id }} }} }}'
    with statements() as by_graphql:
        assert "errors" not in ask(caller, mutation).json()
    return {
        "redeem": cost(caller, "POST", f"/store/gift-cards/{gift_card().code}/redeem"),
        "redeem a bought one": cost(caller, "POST", f"/store/gift-cards/{bought.code}/redeem"),
        "redeem in GraphQL": len(by_graphql),
        "list": cost(caller, "GET", "/store/store-credit-accounts"),
        "put a card on": cost(caller, "POST", f"/store/carts/{cart.pk}/gift-cards", {"code": gift_card(3).code}),
        "put credit on": cost(caller, "POST", f"/store/carts/{cart.pk}/store-credits", {"amount": 2}),
    }


def test_changes_cost_as_many_statements_with_a_thousand_groups_as_with_ten() -> None:
    few, many = costs(groups=10, entries=1), costs(groups=1000, entries=3)
    assert few == many
    assert few == {
        "redeem": 10,
        "redeem a bought one": 11,
        "redeem in GraphQL": 9,
        "list": 4,
        "put a card on": 22,
        "put credit on": 22,
    }


def test_redeeming_is_bounded_for_a_customers_first_account_too() -> None:
    caller = signed_in(CustomerFactory())
    card = gift_card()
    assert not StoreCreditAccount.objects.exists()
    assert cost(caller, "POST", f"/store/gift-cards/{card.code}/redeem") <= 12


def test_a_cards_balance_on_a_cart_costs_no_more_with_a_hundred_lines() -> None:
    ann = CustomerFactory()
    store_credit(ann)
    caller, taken = signed_in(ann), []
    for lines in (1, 100):
        cart = make.cart(*(make.sold_variant() for _ in range(lines)), actor=make.shopper(customer_id=ann.pk))
        taken.append(cost(caller, "POST", f"/store/carts/{cart.pk}/gift-cards", {"code": gift_card().code}))
    assert taken[0] == taken[1]
