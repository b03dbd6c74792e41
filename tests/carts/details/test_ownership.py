"""Whose cart answers to whom, over HTTP."""

from typing import Any

import pytest

from carts.details import ownership
from carts.errors import CartNotFound
from carts.models import Cart
from customers.models import Customer
from kit.domain.actor import Actor
from kit.values.timestamps import now
from shop.models import Store
from tests.contract.callers import Caller, refusal, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.fulfillment import option
from tests.factories.giftcards import gift_card
from tests.factories.shop import SalesChannelFactory
from tests.kit.graphql.calls import ask as graphql
from tests.kit.graphql.calls import data

pytestmark = pytest.mark.django_db

WAYS: dict[str, tuple[str, str, Any]] = {
    "read": ("GET", "", b""),
    "change": ("POST", "", {"email": "mine@example.com"}),
    "add a line": ("POST", "/line-items", {"variant_id": "variant_01SOLD", "quantity": 1}),
    "change a line": ("POST", "/line-items/{line}", {"quantity": 2}),
    "remove a line": ("DELETE", "/line-items/{line}", b""),
    "give codes": ("POST", "/promotions", {"promo_codes": ["SAVE"]}),
    "take codes": ("DELETE", "/promotions", {"promo_codes": ["SAVE"]}),
    "add up": ("POST", "/taxes", b""),
    "take over": ("POST", "/customer", b""),
}


def signed_in(customer: Customer) -> Caller:
    return Caller(x_publishable_api_key=publishable_key().token, Authorization=f"Bearer {token_of(customer)}")


@pytest.fixture
def ann() -> Customer:
    return CustomerFactory(email="ann@example.com")


@pytest.fixture
def cart(ann: Customer) -> Cart:
    """Ann's, with a line and a promotion."""
    make.PromotionFactory(code="SAVE")
    variant = make.sold_variant(10, id="variant_01SOLD")
    return make.cart(variant, actor=make.shopper(customer_id=ann.pk), promo_codes=["SAVE"])


def ask(caller: Caller, cart: Cart, way: str) -> Any:
    method, path, body = WAYS[way]
    return caller.send(method, f"/store/carts/{cart.pk}{path.format(line=cart.items.get().pk)}", body)


def state(cart: Cart) -> Any:
    return (
        Cart.objects.values().get(pk=cart.pk),
        list(cart.items.values()),
        list(cart.promotions.values_list("pk", flat=True)),
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_customers_cart_answers_to_that_customer_alone(way: str, cart: Cart, ann: Customer) -> None:
    before = state(cart)
    for stranger in (storefront(publishable_key()), signed_in(CustomerFactory())):
        if way == "take over" and "Authorization" not in stranger.headers:
            continue
        assert refusal(ask(stranger, cart, way)) == (404, f"Cart with id: {cart.pk} was not found")
    assert state(cart) == before
    response = ask(signed_in(ann), cart, way)
    assert response.status_code == 200, response.content


@pytest.mark.parametrize("way", WAYS)
def test_a_cart_of_another_channel_is_not_found(way: str, cart: Cart, ann: Customer) -> None:
    Cart.objects.filter(pk=cart.pk).update(sales_channel=SalesChannelFactory())
    assert refusal(ask(signed_in(ann), cart, way))[0] == 404


@pytest.mark.parametrize("way", WAYS)
def test_a_guests_cart_answers_to_anyone_who_knows_its_id(way: str, cart: Cart, ann: Customer) -> None:
    guest = CustomerFactory(email="ann@example.com", has_account=False)
    for owner in (None, guest):
        Cart.objects.filter(pk=cart.pk).update(customer=owner)
        if way == "remove a line":
            owner = guest  # noqa: PLW2901 - the line can go only once
        caller = signed_in(ann) if way == "take over" else storefront(publishable_key())
        assert ask(caller, cart, way).status_code == 200
        if way == "remove a line":
            break


@pytest.mark.parametrize("way", [way for way in WAYS if way not in ("read", "take over")])
def test_a_completed_cart_is_read_and_never_changed(way: str, cart: Cart, ann: Customer) -> None:
    Cart.objects.filter(pk=cart.pk).update(completed_at=now())
    before = state(cart)
    message = f"Cart {cart.pk} is already completed."
    assert refusal(ask(signed_in(ann), cart, way)) == (400, message)
    assert ask(signed_in(ann), cart, "read").json()["cart"]["completed_at"]
    assert state(cart) == before


@pytest.mark.parametrize("way", WAYS)
def test_an_unknown_cart_is_not_found(way: str, ann: Customer) -> None:
    method, path, body = WAYS[way]
    response = signed_in(ann).send(method, f"/store/carts/nobody{path.format(line='nobody')}", body)
    assert refusal(response) == (404, "Cart with id: nobody was not found")


def test_taking_a_guests_cart_over_gives_it_the_customers_email_and_stays_so(ann: Customer) -> None:
    cart = make.cart(make.sold_variant(10), email="guest@example.com")
    for _ in range(2):
        taken = signed_in(ann).post(f"/store/carts/{cart.pk}/customer").json()["cart"]
        assert (taken["customer_id"], taken["email"], taken["total"]) == (ann.pk, "ann@example.com", 10)
    assert refusal(signed_in(CustomerFactory()).post(f"/store/carts/{cart.pk}/customer"))[0] == 404


def test_taking_ones_own_cart_over_changes_nothing(cart: Cart, ann: Customer) -> None:
    signed_in(ann).post(f"/store/carts/{cart.pk}", {"email": "work@example.com"})
    before = state(cart)
    assert signed_in(ann).post(f"/store/carts/{cart.pk}/customer").status_code == 200
    assert state(cart) == before


@pytest.mark.parametrize("by", ["REST", "GraphQL"])
def test_a_guests_cart_makes_no_customer_and_finds_none(ann: Customer, by: str) -> None:
    region, parcel, tea = make.selling_region(), option(5), make.sold_variant(10)
    anybody = storefront(publishable_key())
    card = gift_card(currency_code="usd", value=4)
    if by == "REST":
        made = anybody.post("/store/carts", {"region_id": region.pk, "email": "new@example.com"}).json()["cart"]
        path = f"/store/carts/{made['id']}"
        sent = [
            ("", {"email": ann.email, "shipping_address": {"country_code": "us"}, "billing_address": {"city": "Ulm"}}),
            ("/line-items", {"variant_id": tea.pk, "quantity": 1}),
            ("/shipping-methods", {"option_id": parcel.pk}),
            ("/gift-cards", {"code": card.code}),
        ]
        for below, body in sent:
            assert anybody.post(f"{path}{below}", body).status_code == 200, below
        collection = anybody.post("/store/payment-collections", {"cart_id": made["id"]}).json()["payment_collection"]
        assert collection["amount"] == 11
        shown = anybody.get(path, "fields=id,email,customer_id,customer.id").json()["cart"]
    else:
        asked = f'createCart(input: {{regionId: "{region.pk}", email: "new@example.com"}}) {{ cart {{ id }} }}'
        made = data(graphql(anybody, f"mutation {{ {asked} }}"))["createCart"]["cart"]
        asked = f'updateCart(id: "{made["id"]}", input: {{email: "{ann.email}"}})'
        fields = "cart { id email customer_id: customerId customer { id } }"
        shown = data(graphql(anybody, f"mutation {{ {asked} {{ {fields} }} }}"))["updateCart"]["cart"]
    assert shown == {"id": made["id"], "email": ann.email, "customer_id": None, "customer": None}
    assert list(Customer.objects.all()) == [ann]


def test_nobody_takes_a_cart_over_without_signing_in() -> None:
    cart = make.cart()
    response = storefront(publishable_key()).post(f"/store/carts/{cart.pk}/customer")
    assert (response.status_code, response.content) == (401, b"Unauthorized")
    with pytest.raises(CartNotFound):
        ownership.take_over(actor=make.shopper(), cart_id=cart.pk)
    assert not Cart.objects.filter(customer__isnull=False).exists()


def test_prices_for_a_cart_are_shown_to_those_who_may_see_it(cart: Cart, ann: Customer) -> None:
    for path in ("/store/products", "/store/product-variants"):
        query = f"cart_id={cart.pk}&fields=id"
        assert signed_in(ann).get(path, query).status_code == 200
        for stranger in (storefront(publishable_key()), signed_in(CustomerFactory())):
            message = f"Cart with id: {cart.pk} was not found, given by field 'cart_id'"
            assert refusal(stranger.get(path, query)) == (400, message)


def test_a_staff_actor_may_be_let_in_by_permission(cart: Cart) -> None:
    channel = Store.objects.get().default_sales_channel_id
    staff = Actor("user", "user_01", (channel,), permitted=frozenset({"carts.view_cart"}).__contains__)
    assert Cart.objects.visible_to(staff).filter(pk=cart.pk).exists()
    assert not Cart.objects.visible_to(Actor("user", "user_01", (channel,))).filter(pk=cart.pk).exists()
