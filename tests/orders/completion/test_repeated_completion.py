"""A cart is completed again: whatever has become of it, of its payment and of the order, the order is the answer.

Over REST and GraphQL.
"""

from collections.abc import Callable

import pytest

from carts.models import Cart
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from orders.managing import cancellation
from orders.models import Order
from payments.models import Payment, PaymentCollection, PaymentSession
from payments.movements import capturing
from payments.states import Act
from tests.contract.callers import Caller
from tests.factories.carts import cart as new_cart
from tests.factories.checkout import ready_cart
from tests.factories.customers import CustomerFactory
from tests.factories.payments import PROVIDER as LOCAL
from tests.orders.completing import order_of
from tests.orders.completion.test_rest_completion import KEY, completed_by_graphql, fake, path_of, store
from tests.payments.providers import FAKE, FakeProvider

__all__ = ["fake", "store"]
pytestmark = pytest.mark.django_db(transaction=True)


def pays_anew(cart: Cart, store: Caller) -> None:
    """The shopper chooses another provider, which the order's collection refuses; the old session is captured since."""
    collection = PaymentCollection.objects.get(cart=cart)
    path = f"/store/payment-collections/{collection.pk}/payment-sessions"
    assert store.post(path, {"provider_id": LOCAL}).status_code == 400
    capturing.capture(actor=SYSTEM, payment_id=Payment.objects.get(collection=collection).pk)


def session_is_replaced(cart: Cart, store: Caller) -> None:
    """Its amount is another, and it is not the cart's any more."""
    sessions = PaymentSession.objects.filter(collection__cart=cart)
    sessions.update(amount=1, status="canceled", deleted_at=now())
    PaymentCollection.objects.filter(cart=cart).update(amount=1, status="canceled")


def order_is_canceled(cart: Cart, store: Caller) -> None:
    cancellation.cancel(actor=SYSTEM, order_id=Order.objects.get(cart_id=cart.pk).pk)


def cart_is_gone(cart: Cart, store: Caller) -> None:
    """With all that refers to it. The order's own collection would keep it, so that is another cart's."""
    other = new_cart()
    PaymentCollection.objects.filter(cart=cart).update(cart=other)
    Cart.objects.filter(pk=cart.pk).delete()
    assert not Cart.objects.filter(pk=cart.pk).exists()


def cart_is_deleted(cart: Cart, store: Caller) -> None:
    Cart.objects.filter(pk=cart.pk).update(deleted_at=now())


CHANGES = [pays_anew, session_is_replaced, order_is_canceled, cart_is_gone, cart_is_deleted]


@pytest.mark.parametrize("change", CHANGES)
def test_the_order_is_the_answer(store: Caller, fake: FakeProvider, change: Callable[[Cart, Caller], None]) -> None:
    cart = ready_cart(provider_id=FAKE)
    cart.region.payment_providers.add(LOCAL)
    first = store.post(path_of(cart), idempotency_key=KEY).json()
    change(cart, store)
    assert store.post(path_of(cart), idempotency_key=KEY).json() == first
    answer = store.post(path_of(cart))
    assert (answer.status_code, answer.json()["type"]) == (200, "order")
    order = answer.json()["order"]
    assert order == store.get(f"/store/orders/{order['id']}").json()["order"]
    assert order["id"] == first["order"]["id"]
    assert (order["status"] == "canceled") == (change is order_is_canceled)
    assert Order.objects.count() == 1
    assert fake.asked.count(Act.AUTHORIZE) == 1


@pytest.mark.parametrize("change", CHANGES)
def test_by_graphql(store: Caller, fake: FakeProvider, change: Callable[[Cart, Caller], None]) -> None:
    cart = ready_cart(provider_id=FAKE)
    cart.region.payment_providers.add(LOCAL)
    first = completed_by_graphql(store, cart, idempotency_key=KEY)
    change(cart, store)
    assert completed_by_graphql(store, cart, idempotency_key=KEY) == first
    again = completed_by_graphql(store, cart)
    assert (again["type"], again["order"]["id"]) == ("order", first["order"]["id"])
    assert Order.objects.count() == 1


@pytest.mark.parametrize("change", [cart_is_gone, cart_is_deleted])
def test_anothers_cart_stays_unknown(store: Caller, change: Callable[[Cart, Caller], None]) -> None:
    """The order of a customer's cart is that customer's."""
    cart = ready_cart(customer_id=CustomerFactory(has_account=True).pk)
    order_of(cart)
    change(cart, store)
    assert store.post(path_of(cart)).status_code == 404
