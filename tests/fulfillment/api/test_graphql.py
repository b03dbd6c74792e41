"""Shipping in GraphQL answers as over REST, for as many statements."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from carts.models import Cart
from fulfillment.api.resources import SHIPPING_OPTIONS
from shop.models import FulfillmentProvider
from tests.contract.callers import Caller, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.fulfillment import option
from tests.factories.pricing import price
from tests.kit.graphql.calls import ask, data, failures
from tests.kit.graphql.writing import members, page

pytestmark = pytest.mark.django_db

PATH = "/store/shipping-options"
CALCULATE = "mutation ($id: ID!, $cart: ID!) { calculateShippingOption(id: $id, input: {cartId: $cart}) {"
CHOOSE = """mutation ($id: ID!, $option: ID!) { addShippingMethod(id: $id, input: {optionId: $option}) {
  cart { shippingTotal shippingMethods { id shippingOptionId amount } } } }"""
REMOVE = """mutation ($id: ID!, $ids: [String!]) { removeShippingMethods(id: $id, input: {ids: $ids}) {
  cart { shippingMethods { id } } } }"""


@pytest.fixture
def store(db: None) -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def cart(db: None) -> Cart:
    """With three ways to be shipped, one of them for returns alone."""
    for name, amount in (("a", 5), ("b", 7)):
        price(option(amount, name=name).price_set, 0, rules={"item_total": ("gte", "100")})
    option(6, name="c", rules=[("is_return", "eq", "true")])
    FulfillmentProvider.objects.create(id="weight_weight")
    weighed = {"provider_id": "weight_weight", "data": {"base": {"usd": 4}, "per_weight": {"usd": 1}}}
    option(None, name="d", price_type="calculated", **weighed)
    return make.cart(make.sold_variant(10, weight=2))


@pytest.mark.parametrize(
    ("query", "arguments", "fields"),
    [
        ("", "", None),
        ("is_return=true", "isReturn: true", None),
        ("order=-name&limit=1&offset=1", 'order: "-name", limit: 1, offset: 1', "name,amount"),
        ("order=-type.label", 'order: "-type.label"', "name,type.code"),
        ("limit=0", "limit: 0", "id"),
        ("", "isReturn: null, and: null, order: null, withDeleted: null", "name"),
        ("$or[0][is_return]=true&$or[1][is_return]=false", "or: [{isReturn: true}, {isReturn: false}]", "*prices"),
        ("is_return=true&$and[0][is_return]=false", "isReturn: true, and: {isReturn: false}", "service_zone.id"),
    ],
)
def test_lists_are_equal(store: Caller, cart: Cart, query: str, arguments: str, fields: str | None) -> None:
    wanted = "" if fields is None else f"&fields={fields}"
    with CaptureQueriesContext(connection) as by_rest:
        rest = store.get(PATH, f"cart_id={cart.pk}&{query}{wanted}".replace("&&", "&").rstrip("&"))
    with CaptureQueriesContext(connection) as by_graphql:
        reported = ask(store, page(SHIPPING_OPTIONS, "shippingOptions", f'cartId: "{cart.pk}" {arguments}', fields))
    assert data(reported)["shippingOptions"] == rest.json()
    assert len(by_graphql) == len(by_rest) > 0


@pytest.mark.parametrize(
    ("query", "arguments"),
    [
        ("", ""),
        ("cart_id=nobody", 'cartId: "nobody"'),
        ("cart_id=a&$or[0][cart_id]=b", 'cartId: "a", or: {cartId: "b"}'),
        ("cart_id=a&order=nope", 'cartId: "a", order: "nope"'),
        ("cart_id=a&limit=1001", 'cartId: "a", limit: 1001'),
    ],
)
def test_refusals_are_equal(store: Caller, query: str, arguments: str) -> None:
    rest = store.get(PATH, query).json()
    reported = ask(store, f"{{ shippingOptions{arguments and f'({arguments})'} {{ count }} }}")
    assert failures(reported) == [("shippingOptions", rest["message"], {"type": rest["type"]})]


def chosen(name: str, cart: Cart, store: Caller) -> str:
    listed = store.get(PATH, f"cart_id={cart.pk}&fields=name").json()["shipping_options"]
    return str(next(each["id"] for each in listed if each["name"] == name))


def test_a_provider_is_asked(store: Caller, cart: Cart) -> None:
    option_id = chosen("d", cart, store)
    whole = members(SHIPPING_OPTIONS.field_set.parse(None))
    document = f"{CALCULATE} shipping_option: shippingOption {{ {whole} }} again: shippingOption {{ amount }} }} }}"
    reported = data(ask(store, document, {"id": option_id, "cart": cart.pk}))["calculateShippingOption"]
    rest = store.post(f"{PATH}/{option_id}/calculate", {"cart_id": cart.pk}).json()
    assert reported == {**rest, "again": {"amount": 6}}
    unknown = ask(store, f"{CALCULATE} __typename }} }}", {"id": "nobody", "cart": cart.pk})
    assert failures(unknown)[0][1:] == ("Shipping option with id: nobody was not found", {"type": "not_found"})


def test_a_method_is_chosen_and_taken_back(store: Caller, cart: Cart) -> None:
    for name, amount in (("a", 5), ("d", 6)):
        given = {"id": cart.pk, "option": chosen(name, cart, store)}
        shown: Any = data(ask(store, CHOOSE, given))["addShippingMethod"]["cart"]
        assert shown["shippingTotal"] == amount
        assert [(each["shippingOptionId"], each["amount"]) for each in shown["shippingMethods"]] == [
            (given["option"], amount)
        ]
    ids = [each["id"] for each in shown["shippingMethods"]]
    reported = data(ask(store, REMOVE, {"id": cart.pk, "ids": ids}))
    assert reported == {"removeShippingMethods": {"cart": {"shippingMethods": []}}}
    refused = failures(ask(store, CHOOSE, {"id": cart.pk, "option": "nobody"}))
    assert refused[0][1] == "Shipping Options are invalid for cart."
