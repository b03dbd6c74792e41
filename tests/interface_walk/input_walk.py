"""Every field of every body that a route takes, shown by what becomes of it, over REST and in GraphQL."""

from collections.abc import Callable
from functools import partial
from typing import Any

from apikeys.models import ApiKey
from customers.address_book import add_address
from customers.models import CustomerAddress
from tests.factories.customers import customer_actor
from tests.factories.payments import payable_cart
from tests.interface_walk.board import BODY, Board
from tests.interface_walk.callers import Callers
from tests.interface_walk.routes import ROUTES
from tests.interface_walk.samples import ADDRESS, KEYS, PAYMENT, answered, send
from tests.interface_walk.shop import Shop
from tests.interface_walk.sources import reported
from tests.interface_walk.trees import camel

Values = dict[str, Any]
NEW_ADDRESS: Values = {
    "country_code": "us",
    "first_name": "Zoe",
    "last_name": "Moss",
    "phone": "555-9876",
    "company": "Moss Ltd",
    "address_1": "9 Quay",
    "address_2": "Top",
    "city": "Salem",
    "province": "us-or",
    "postal_code": "97301",
    "address_name": "Work",
    "is_default_shipping": True,
    "is_default_billing": True,
    "metadata": {"floor": 3},
}
"""The country first: the province is one of its."""
NEW_KEY: Values = {"title": "Kiosk", "type": "secret"}


def walk_inputs(board: Board, callers: Callers, shop: Shop) -> None:
    """Send each field by itself: it alone is changed."""
    for put in (partial(_put_by_rest, callers, shop), partial(_put_by_graphql, callers)):
        address = add_address(actor=customer_actor(shop.customer), customer_id=shop.customer.pk)
        for name, value in NEW_ADDRESS.items():
            with board.holds(ADDRESS, BODY, name):
                _change(put, address, name, value)
    with board.holds(ADDRESS, BODY, "province"):
        refused = send(ADDRESS, callers, shop, body={"province": "us-xx"})
        assert (refused.status, refused.body["type"]) == (400, "invalid_data")
    for name, value in NEW_KEY.items():
        with board.holds(KEYS, BODY, name):
            _demand(name, value, callers, shop)
    with board.holds(PAYMENT, BODY, "cart_id"):
        _pay(callers, shop)
    for name, route in ROUTES.items():
        with board.met(f"{name} has effects for all its body"):
            assert board.names(name, BODY) == set(route.body)


def _change(put: Callable[[str, Values], None], address: CustomerAddress, name: str, value: Any) -> None:
    before = _columns(address)
    assert before[name] != value
    put(address.pk, {name: value})
    after = _columns(address)
    assert after == {**before, name: value, "updated_at": after["updated_at"]}
    if name.startswith("is_default"):
        assert list(address.customer.addresses.filter(**{name: True})) == [address]


def _columns(address: CustomerAddress) -> Values:
    return dict(CustomerAddress.objects.values().get(pk=address.pk))


def _put_by_rest(callers: Callers, shop: Shop, address_id: str, values: Values) -> None:
    answered(ADDRESS, callers, shop, path=f"/store/customers/me/addresses/{address_id}", body=values)


def _put_by_graphql(callers: Callers, address_id: str, values: Values) -> None:
    document = (
        "mutation ($id: ID!, $input: AddressInput!) { updateAddress(id: $id, input: $input) { customer { id } } }"
    )
    given = {camel(name): value for name, value in values.items()}
    reported(callers.customer.ask(document, id=address_id, input=given))


def _demand(name: str, value: Any, callers: Callers, shop: Shop) -> None:
    """A key is as it was asked for, and asked for without that it is refused."""
    assert answered(KEYS, callers, shop, body=NEW_KEY)["api_key"][name] == value
    given = " ".join(f'{key}: "{word}"' for key, word in NEW_KEY.items())
    twin = reported(callers.staff.ask(f"mutation {{ createApiKey(input: {{{given}}}) {{ apiKey {{ id }} }} }}"))
    assert getattr(ApiKey.objects.get(pk=twin["createApiKey"]["apiKey"]["id"]), name) == value
    refused = send(KEYS, callers, shop, body={key: word for key, word in NEW_KEY.items() if key != name})
    assert (refused.status, refused.body["message"]) == (400, f"Invalid request: Field '{name}' is required")


def _pay(callers: Callers, shop: Shop) -> None:
    """Each cart has one collection, for the amount due: 7.00 plus 10 % tax in the region's only country."""
    cart = payable_cart(7, customer_id=shop.customer.pk)
    document = "mutation ($input: PaymentCollectionInput!) { createPaymentCollection(input: $input) { … } }"
    asked = document.replace("…", "paymentCollection { id amount }")
    twin = reported(callers.customer.ask(asked, input={"cartId": cart.pk}))["createPaymentCollection"]
    made = answered(PAYMENT, callers, shop, query="fields=amount", body={"cart_id": cart.pk})
    assert made["payment_collection"] == twin["paymentCollection"]
    assert made["payment_collection"]["amount"] == 7.7
    refused = send(PAYMENT, callers, shop, body={})
    assert (refused.status, refused.body["message"]) == (400, "Invalid request: Field 'cart_id' is required")
