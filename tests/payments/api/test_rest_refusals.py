"""What the routes of payments refuse, by name."""

import json
from typing import Any

import pytest

from carts.models import Cart
from payments.models import PaymentSession
from tests.contract.callers import Caller, invalid, refusal
from tests.payments.calls import PATH, opened
from tests.payments.providers import FAKE, FakeProvider


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Field 'cart_id' is required"),
            ({"cart_id": None}, "Expected type: 'string' for field 'cart_id', got: 'null'"),
            ({"cart_id": 5}, "Expected type: 'string' for field 'cart_id', got: '5'"),
            ({"cart_id": ["a"]}, "Expected type: 'string' for field 'cart_id', got: 'a'"),
            ({"cart_id": "a\0"}, "NUL character in field 'cart_id'"),
            ({"cart_id": "x" * 5000}, "Value for field 'cart_id' too big, expected at most: '255' characters"),
            ({"cart_id": "a", "amount": 5}, "Unrecognized fields: 'amount'"),
            ({"cart_id": "a", "x": 1, "y": 2}, "Unrecognized fields: 'x, y'"),
        ],
        ids=str,
    )
    def test_by_the_collections(self, store: Caller, body: dict[str, Any], message: str) -> None:
        assert refusal(store.post(PATH, body)) == invalid(message)

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "Field 'provider_id' is required"),
            ({"provider_id": 5}, "Expected type: 'string' for field 'provider_id', got: '5'"),
            ({"provider_id": None}, "Expected type: 'string' for field 'provider_id', got: 'null'"),
            ({"provider_id": "\0"}, "NUL character in field 'provider_id'"),
            ({"provider_id": "x" * 5000}, "Value for field 'provider_id' too big, expected at most: '255' characters"),
            ({"provider_id": FAKE, "data": "a"}, "Expected type: 'object' for field 'data', got: 'a'"),
            ({"provider_id": FAKE, "data": [1]}, "Expected type: 'object' for field 'data', got: '1'"),
            ({"provider_id": FAKE, "data": {"a": {"b": "\0"}}}, "NUL character in field 'data.a.b'"),
            ({"provider_id": FAKE, "amount": 1}, "Unrecognized fields: 'amount'"),
        ],
        ids=str,
    )
    def test_by_the_sessions(self, store: Caller, cart: Cart, body: dict[str, Any], message: str) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        assert refusal(store.post(path, body)) == invalid(message)
        assert not PaymentSession.objects.exists()

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ({"a": "x" * 70_000}, "too large, expected at most: '65536' bytes"),
            ({"a": 10**30}, "holds a number beyond 64 bits"),
        ],
        ids=["large", "number"],
    )
    def test_data_that_cannot_be_kept(self, store: Caller, cart: Cart, data: Any, message: str) -> None:
        path = f"{PATH}/{opened(store, cart)['id']}/payment-sessions"
        body = json.dumps({"provider_id": FAKE, "data": data}).encode()
        status, reported = refusal(store.post(path, body))
        assert (status, "data" in reported, reported.endswith(message)) == (400, True, True)

    def test_malformed_json(self, store: Caller) -> None:
        status, message = refusal(store.post(PATH, b"{"))
        assert (status, message[:16]) == (400, "Malformed JSON: ")

    @pytest.mark.parametrize("cart_id", ["cart_x", "", "é", "cart_01M7YFS58VZ3WJ294WGTXJZ025", "x" * 255])
    def test_a_cart_that_is_not_there(self, store: Caller, cart_id: str) -> None:
        status, message = refusal(store.post(PATH, {"cart_id": cart_id}))
        assert (status, message[:14]) == (404, "Cart with id: ")
        assert cart_id[:50] in message

    @pytest.mark.parametrize("collection_id", ["pay_col_x", "x" * 5000, "%C3%A9"])
    def test_a_collection_that_is_not_there(self, store: Caller, fake: FakeProvider, collection_id: str) -> None:
        response = store.post(f"{PATH}/{collection_id}/payment-sessions", {"provider_id": FAKE})
        status, message = refusal(response)
        assert (status, message[:28]) == (404, "Payment collection with id: ")
        assert fake.calls == []

    def test_a_collection_whose_id_holds_a_nul(self, store: Caller) -> None:
        response = store.post(f"{PATH}/pay%00/payment-sessions", {"provider_id": FAKE})
        assert refusal(response) == invalid("NUL character in the path")
