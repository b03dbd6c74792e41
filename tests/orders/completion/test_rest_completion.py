"""POST /store/carts/{id}/complete, and completeCart: what they answer, and what an Idempotency-Key keeps."""

from collections.abc import Iterator
from typing import Any

import pytest

from carts.models import Cart
from orders.models import Order
from payments.providers.base import Declined
from payments.states import Act
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.carts import cart as new_cart
from tests.factories.checkout import checked_out_cart, pay, ready_cart
from tests.payments.providers import FAKE, FakeProvider, switched_on

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "a-key-of-a-storefront-0001"
DOCUMENT = """mutation ($id: ID!) {
  completeCart(id: $id) {
    type
    order { id displayId total items { title quantity } paymentCollections { status } }
    cart { id total }
    error { message type }
  }
}"""


@pytest.fixture
def store(transactional_db: None) -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def fake(transactional_db: None, settings: Any) -> Iterator[FakeProvider]:
    with switched_on(settings) as made:
        yield made


def path_of(cart: Cart) -> str:
    return f"/store/carts/{cart.pk}/complete"


def completed_by_graphql(store: Caller, cart: Cart, **headers: str) -> dict[str, Any]:
    sent = {"query": DOCUMENT, "variables": {"id": cart.pk}}
    answer = store.post("/graphql", sent, x_graphql_request="true", **headers).json()
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]["completeCart"]
    return found


class TestRest:
    def test_the_order_has_every_default_of_one_order(self, store: Caller) -> None:
        cart = ready_cart()
        answer = store.post(path_of(cart))
        assert answer.status_code == 200
        done = answer.json()
        assert list(done) == ["type", "order"]
        order = done["order"]
        assert order == store.get(f"/store/orders/{order['id']}").json()["order"]
        assert (done["type"], order["display_id"], order["payment_status"]) == ("order", 1, "authorized")
        assert (order["total"], order["shipping_address"]["country_code"]) == (55, "us")
        assert order["payment_collections"][0]["amount"] == 55
        assert "no-store" in answer["Cache-Control"]

    def test_again_it_is_the_same(self, store: Caller) -> None:
        """Case 2."""
        cart = ready_cart()
        first = store.post(path_of(cart)).json()
        assert store.post(path_of(cart)).json() == first

    def test_a_refusal_names_its_reason(self, store: Caller) -> None:
        answer = store.post(path_of(new_cart()))
        assert (answer.status_code, answer.json()) == (
            400,
            {"type": "invalid_data", "message": "Cannot complete a cart with no items"},
        )
        assert store.post("/store/carts/cart_nope/complete").status_code == 404

    def test_a_refused_payment_answers_the_cart(self, store: Caller, fake: FakeProvider) -> None:
        """Case 5."""
        cart = ready_cart(provider_id=FAKE)
        fake.says(Act.AUTHORIZE, Declined("The card was refused"))
        answer = store.post(path_of(cart))
        done = answer.json()
        assert (answer.status_code, done["type"], done["cart"]["id"]) == (200, "cart", cart.pk)
        assert list(done["error"]) == ["message", "name", "type"]
        assert done["error"]["type"] == "payment_authorization_error"

    def test_a_key_keeps_the_order_alone(self, store: Caller, fake: FakeProvider) -> None:
        """Neither a refusal nor a refused payment is kept: the shopper pays and sends the same key again."""
        cart = checked_out_cart(provider_id=FAKE)
        assert store.post(path_of(cart), idempotency_key=KEY).status_code == 400  # it has no session yet
        pay(cart, provider_id=FAKE)
        fake.says(Act.AUTHORIZE, Declined("The card was refused"))
        assert store.post(path_of(cart), idempotency_key=KEY).json()["type"] == "cart"
        done = store.post(path_of(cart), idempotency_key=KEY).json()
        assert done["type"] == "order"
        replayed = store.post(path_of(cart), idempotency_key=KEY)
        assert replayed["Idempotent-Replayed"] == "true"
        assert replayed.json() == done
        assert Order.objects.count() == 1


class TestGraphQL:
    def test_it_completes_as_rest_does(self, store: Caller) -> None:
        """Case 40."""
        cart = ready_cart()
        done = completed_by_graphql(store, cart)
        assert (done["type"], done["cart"], done["error"]) == ("order", None, None)
        assert done["order"]["displayId"] == 1
        assert done["order"]["paymentCollections"] == [{"status": "authorized"}]
        assert store.post(path_of(cart)).json()["order"]["id"] == done["order"]["id"]

    def test_a_refused_payment_answers_the_cart(self, store: Caller, fake: FakeProvider) -> None:
        cart = ready_cart(provider_id=FAKE)
        fake.says(Act.AUTHORIZE, Declined("The card was refused"))
        done = completed_by_graphql(store, cart, idempotency_key=KEY)
        assert (done["type"], done["order"], done["cart"]["id"]) == ("cart", None, cart.pk)
        assert done["error"]["type"] == "payment_authorization_error"
        done = completed_by_graphql(store, cart, idempotency_key=KEY)
        assert done["type"] == "order"
        assert completed_by_graphql(store, cart, idempotency_key=KEY) == done
