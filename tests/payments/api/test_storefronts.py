"""What storefronts send to pay, as they send it, and what they read of the answers."""

import pytest

from carts.models import Cart
from tests.contract.callers import Caller
from tests.contract.test_storefront_calls import faults
from tests.factories import payments as make

pytestmark = pytest.mark.django_db

PAYMENT_OF_CART = {"id": str, "payment_sessions": [{"provider_id": str, "status": str, "data": dict}]}


@pytest.fixture
def cart(db: None) -> Cart:
    return make.payable_cart()


def test_the_checkout_of_both_storefronts(store: Caller, cart: Cart) -> None:
    providers = store.get("/store/payment-providers", f"region_id={cart.region_id}").json()
    assert faults({"payment_providers": [{"id": str}]}, providers) == []
    assert [each["id"] for each in providers["payment_providers"]] == ["pp_system_default"]
    path = f"/store/carts/{cart.pk}"
    assert store.get(path).json()["cart"]["payment_collection"] is None
    opened = store.post("/store/payment-collections", {"cart_id": cart.pk}).json()
    assert faults({"payment_collection": {"id": str}}, opened) == []
    sessions = f"/store/payment-collections/{opened['payment_collection']['id']}/payment-sessions"
    started = store.post(sessions, {"provider_id": "pp_system_default"})
    assert started.status_code == 200
    shown = store.get(path).json()["cart"]
    assert faults({"payment_collection": PAYMENT_OF_CART}, shown) == []
    (session,) = shown["payment_collection"]["payment_sessions"]
    assert (session["status"], session["provider_id"], session["data"]) == ("pending", "pp_system_default", {})


def test_the_sdk_starts_again_with_the_collection_that_the_cart_has(store: Caller, cart: Cart) -> None:
    """It creates one only where the cart shows none."""
    collection_id = make.collection(cart).pk
    shown = store.get(f"/store/carts/{cart.pk}", "fields=%2Apayment_collection").json()["cart"]
    assert shown["payment_collection"]["id"] == collection_id
    path = f"/store/payment-collections/{collection_id}/payment-sessions"
    answers = [store.post(path, {"provider_id": "pp_system_default"}).json() for _ in range(2)]
    assert answers[0] == answers[1]
