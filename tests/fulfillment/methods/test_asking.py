"""Choosing what a provider prices: it is asked outside every transaction, once for each Idempotency-Key."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse

from carts.lines import line_addition
from carts.models import Cart
from fulfillment.models import ShippingOption
from fulfillment.providers.base import CannotShip, Provider, Quote, Shipment
from kit.values.timestamps import now
from shop.models import FulfillmentProvider
from tests.contract.callers import Caller, refusal, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option, zone
from tests.kit.graphql.calls import ask, failures

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "a-key-of-twenty-signs"
CHOOSE = """mutation ($id: ID!, $option: ID!) { addShippingMethod(id: $id, input: {optionId: $option}) {
  cart { shippingMethods { amount } } } }"""
CONFLICT = "The request conflicted with another request."
TOO_FAR = "The fulfillment provider refused: Too far"

Choose = Callable[[Caller, Cart, ShippingOption, str | None], HttpResponse]


class Scale(Provider):
    """Notes whether it was asked inside a transaction; `meanwhile` is what happens while it thinks, once."""

    asked: list[bool] = []
    meanwhile: list[Callable[[], object]] = []
    refuses = False

    def quote(self, shipment: Shipment) -> Quote:
        self.asked.append(connection.in_atomic_block)
        while self.meanwhile:
            self.meanwhile.pop()()
        if self.refuses:
            raise CannotShip("Too far")
        return Quote(Decimal("3.25"))


@pytest.fixture
def store(transactional_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Caller:
    settings.FULFILLMENT_PROVIDERS = {"scale": f"{__name__}.Scale"}
    FulfillmentProvider.objects.create(id="scale")
    monkeypatch.setattr(Scale, "asked", [])
    monkeypatch.setattr(Scale, "meanwhile", [])
    return storefront(publishable_key())


def by_rest(store: Caller, cart: Cart, chosen: ShippingOption, key: str | None) -> HttpResponse:
    path = f"/store/carts/{cart.pk}/shipping-methods?fields=shipping_methods.amount"
    return store.send("POST", path, {"option_id": chosen.pk}, Idempotency_Key=key)  # type: ignore[arg-type]


def by_graphql(store: Caller, cart: Cart, chosen: ShippingOption, key: str | None) -> HttpResponse:
    given = {"id": cart.pk, "option": chosen.pk}
    return ask(store, CHOOSE, given, Idempotency_Key=key)  # type: ignore[arg-type]


@pytest.fixture(params=[by_rest, by_graphql], ids=["REST", "GraphQL"])
def choose(request: pytest.FixtureRequest) -> Choose:
    way: Choose = request.param
    return way


def weighed(**values: Any) -> ShippingOption:
    return option(None, price_type="calculated", provider_id="scale", **values)


def amounts(response: HttpResponse) -> list[float]:
    body = response.json()
    cart = body["data"]["addShippingMethod"]["cart"] if "data" in body else body["cart"]
    return [each["amount"] for each in cart.get("shippingMethods", cart.get("shipping_methods"))]


def why(response: HttpResponse) -> str:
    """The message of a refusal."""
    return failures(response)[0][1] if "data" in response.json() else refusal(response)[1]


def replayed(response: HttpResponse) -> bool:
    return response.get("Idempotent-Replayed") == "true"


def test_without_a_key(store: Caller, choose: Choose) -> None:
    assert amounts(choose(store, make.cart(), weighed(), None)) == [3.25]
    assert Scale.asked == [False]


def test_with_a_key_once(store: Caller, choose: Choose) -> None:
    cart, chosen = make.cart(), weighed()
    first, second = (choose(store, cart, chosen, KEY) for _ in range(2))
    assert amounts(first) == amounts(second) == [3.25]
    assert (replayed(first), replayed(second)) == (False, True)
    assert Scale.asked == [False]


def test_its_refusal_is_kept(store: Caller, choose: Choose, monkeypatch: pytest.MonkeyPatch) -> None:
    cart, chosen = make.cart(), weighed()
    monkeypatch.setattr(Scale, "refuses", True)
    assert why(choose(store, cart, chosen, KEY)) == TOO_FAR
    monkeypatch.setattr(Scale, "refuses", False)
    again = choose(store, cart, chosen, KEY)
    assert (why(again), replayed(again)) == (TOO_FAR, True)
    assert Scale.asked == [False]
    assert cart.shipping_methods.count() == 0


def test_after_a_change_of_the_cart_meanwhile_the_same_key_asks_again(store: Caller, choose: Choose) -> None:
    mug = make.sold_variant(10)
    cart, chosen = make.cart(mug), weighed()
    add = partial(line_addition.add, actor=make.shopper(), cart_id=cart.pk, variant_id=mug.pk, quantity=1)
    Scale.meanwhile.append(add)
    assert CONFLICT in choose(store, cart, chosen, KEY).content.decode()
    assert cart.shipping_methods.count() == 0
    again = choose(store, cart, chosen, KEY)
    assert (amounts(again), replayed(again)) == ([3.25], False)
    assert Scale.asked == [False, False]


@pytest.mark.parametrize("key", [None, KEY])
def test_nobody_is_asked_for_a_cart_or_an_option_that_is_refused(
    store: Caller, choose: Choose, key: str | None
) -> None:
    region = make.selling_region().pk
    hers = make.cart(actor=make.shopper(customer_id=CustomerFactory().pk), region_id=region)
    done, here = make.cart(region_id=region), make.cart(region_id=region, shipping_address={"country_code": "us"})
    Cart.objects.filter(pk=done.pk).update(completed_at=now())
    chosen, abroad = weighed(), weighed(name="abroad", of=zone("fr"))
    returning = weighed(name="returning", rules=[("is_return", "eq", "true")])
    refusals = [
        (hers, chosen, f"Cart with id: {hers.pk} was not found"),
        (done, chosen, f"Cart {done.pk} is already completed."),
        (here, abroad, "Shipping Options are invalid for cart."),
        (here, returning, "Shipping Options are invalid for cart."),
    ]
    for turn, (cart, which, message) in enumerate(refusals):
        assert why(choose(store, cart, which, key and f"{key}-{turn}")) == message
    assert Scale.asked == []


def test_a_flat_option_asks_nobody(store: Caller, choose: Choose) -> None:
    assert amounts(choose(store, make.cart(), option(5, provider_id="scale"), KEY)) == [5]
    assert Scale.asked == []
