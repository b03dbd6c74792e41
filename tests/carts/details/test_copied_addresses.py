"""Addresses of a cart that are named by their id."""

from typing import Any

import pytest

from carts.details import creation, details
from carts.errors import CountryOutsideRegion
from carts.models import Cart, CartAddress
from customers.models import CustomerAddress
from kit.errors import InvalidData
from tests.contract.callers import invalid, refusal, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import AddressFactory, CustomerFactory
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> CustomerAddress:
    return AddressFactory(address_1="4 Ropewalk Lane", metadata={"bell": "Moss"})


def shown(address: CartAddress | None) -> Any:
    assert address is not None
    return address.first_name, address.address_1, address.province, address.metadata


def test_an_address_of_the_customers_book_is_copied(home: CustomerAddress) -> None:
    customer = make.shopper(customer_id=home.customer_id)
    cart = make.cart(actor=customer, shipping_address={"id": home.pk}, billing_address={"id": home.pk, "city": "Ulm"})
    assert shown(cart.shipping_address) == ("Ann", "4 Ropewalk Lane", "us-ny", {"bell": "Moss"})
    assert cart.billing_address is not None
    assert (cart.billing_address.address_1, cart.billing_address.city) == ("4 Ropewalk Lane", "Ulm")
    home.delete()
    assert CartAddress.objects.filter(address_1="4 Ropewalk Lane").count() == 2


def test_the_carts_own_address_is_changed_in_what_is_given() -> None:
    cart = make.cart(shipping_address={"first_name": "Ann", "city": "Ulm"})
    key = cart.shipping_address_id
    given = {"id": key, "city": "Boston"}
    details.change(actor=make.shopper(), cart_id=cart.pk, shipping_address=given, billing_address={"id": key})
    cart = Cart.objects.get(pk=cart.pk)
    assert cart.shipping_address_id == key != cart.billing_address_id
    assert cart.shipping_address is not None
    assert (cart.shipping_address.first_name, cart.shipping_address.city) == ("Ann", "Boston")
    assert shown(cart.billing_address) == ("Ann", None, None, None)


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_addresses_of_others_are_as_unknown_as_any(home: CustomerAddress, *, is_signed_in: bool) -> None:
    stranger = CustomerFactory()
    of_cart = make.cart(actor=make.shopper(customer_id=home.customer_id), shipping_address={"city": "Ulm"})
    actor = make.shopper(customer_id=stranger.pk if is_signed_in else None)
    for key in (home.pk, of_cart.shipping_address_id, "nobody", "\0"):
        with pytest.raises(InvalidData, match="was not found, given by field 'shipping_address'"):
            creation.create(actor=actor, region_id=of_cart.region_id, shipping_address={"id": key})
    assert Cart.objects.count() == 1


def test_its_country_is_one_of_the_regions_too(home: CustomerAddress) -> None:
    europe = make.selling_region(currency_id="eur", countries=["de"])
    with pytest.raises(CountryOutsideRegion):
        make.cart(
            actor=make.shopper(customer_id=home.customer_id),
            region_id=europe.pk,
            shipping_address={"id": home.pk},
        )


def test_over_http_the_id_may_stand_alone() -> None:
    cart = make.cart(shipping_address={"city": "Ulm"})
    store = storefront(publishable_key(cart.sales_channel))
    path, key = f"/store/carts/{cart.pk}", cart.shipping_address_id
    answered = store.post(path, {"billing_address": key}).json()["cart"]
    assert (answered["billing_address"]["city"], answered["shipping_address"]["id"]) == ("Ulm", key)
    made = store.post("/store/carts", {"region_id": cart.region_id, "shipping_address": key}).json()["cart"]
    assert (made["shipping_address"]["city"], made["shipping_address"]["id"] == key) == ("Ulm", False)
    message = "Address with id: caaddr_1 was not found, given by field 'billing_address'"
    assert refusal(store.post(path, {"billing_address": "caaddr_1"})) == (400, message)
    for wrong in (5, ["a"]):
        message = f"Expected type: 'object' for field 'billing_address', got: '{5 if wrong == 5 else 'a'}'"
        assert refusal(store.post(path, {"billing_address": wrong})) == invalid(message)
    document = (
        f'mutation {{ updateCart(id: "{cart.pk}", input: {{shippingAddress: {{id: "{key}", city: "Bonn"}}}})'
        " { cart { shippingAddress { id city } } } }"
    )
    assert data(ask(store, document))["updateCart"]["cart"]["shippingAddress"] == {"id": key, "city": "Bonn"}
