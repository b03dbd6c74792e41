"""Every address that we answer is accepted by every route that takes one, also with another country."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from shop.models.addresses import ADDRESS_TEXTS
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.orders.placed import placed

pytestmark = pytest.mark.django_db
COUNTRIES = ("us", "fr", "de", "xk", None)
TYPED = ("NY", "us-ny", "Bavaria", "FR-75", "75", "lr-my", "Anywhere", " Somewhere ", None)
Address = dict[str, Any]


def written(response: Any, *path: str | int) -> Address:
    """The address in the answer, with the fields that every route takes."""
    assert response.status_code == 200, response.content
    answer = response.json()
    for key in path:
        answer = answer[key]
    return {name: answer[name] for name in (*ADDRESS_TEXTS, "metadata")}


@pytest.fixture
def routes(store: Caller, signed_in: Caller, admin: Caller) -> dict[str, Callable[[Address], Address]]:
    """Sends an address to each route and returns what is answered."""
    mug = make.sold_variant()
    order = placed(cart=make.cart(mug, email="ann@shop.example", shipping_address={"country_code": "us"}))
    region = make.selling_region(countries=[country for country in COUNTRIES if country])  # takes them from the order's
    cart = make.cart(region_id=region.pk)
    me = "/store/customers/me/addresses"
    mine = signed_in.post(me, {"city": "Ulm"}, query="fields=addresses.id").json()["customer"]["addresses"][0]["id"]

    def to_cart(kind: str) -> Callable[[Address], Address]:
        return lambda given: written(store.post(f"/store/carts/{cart.pk}", {kind: given}), "cart", kind)

    def to_book(given: Address) -> Address:
        changed = signed_in.post(f"{me}/{mine}", given)
        assert changed.status_code == 200, changed.content
        return written(signed_in.get(f"{me}/{mine}"), "address")

    def to_order(given: Address) -> Address:
        """The country of an order's address stays."""
        given = {**given, "country_code": "us"}
        return written(
            admin.post(f"/admin/orders/{order.pk}", {"shipping_address": given}), "order", "shipping_address"
        )

    return {
        "shipping address": to_cart("shipping_address"),
        "billing address": to_cart("billing_address"),
        "address book": to_book,
        "order": to_order,
    }


def test_what_we_answer_comes_back_unchanged(routes: dict[str, Callable[[Address], Address]]) -> None:
    for typed, country in product(TYPED, COUNTRIES):
        answered = routes["shipping address"]({"province": typed, "country_code": country, "metadata": {"door": 4}})
        for name, send in routes.items():
            if name != "order" or country == "us":
                assert send(answered) == answered, (name, typed, country)


def test_what_we_answer_comes_back_with_another_country(routes: dict[str, Callable[[Address], Address]]) -> None:
    """A code that we wrote is no reason to refuse what was accepted as typed."""
    for typed, first in product(TYPED, ("us", "fr")):
        answered = routes["billing address"]({"province": typed, "country_code": first, "city": "Springfield"})
        for other, (name, send) in product(COUNTRIES, routes.items()):
            again = send({**answered, "country_code": other})
            assert again["city"] == "Springfield", name
            assert bool(again["province"]) == bool(typed), (name, typed, first, other)
