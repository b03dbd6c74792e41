"""Requests of a storefront that pays, and the ways to look at answers."""

import re
from typing import Any

from carts.models import Cart
from tests.contract.callers import Caller
from tests.payments.providers import FAKE

PATH = "/store/payment-collections"
MOMENT = "a moment"


def timeless(value: Any) -> Any:
    """With moments parsed, once they are found to be written as the interface writes them."""
    if isinstance(value, dict):
        return {key: _moment(inner) if key.endswith("_at") else timeless(inner) for key, inner in value.items()}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def _moment(value: str | None) -> str | None:
    assert value is None or re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value)
    return value and MOMENT


def opened(store: Caller, cart: Cart, query: str = "") -> dict[str, Any]:
    response = store.post(PATH, {"cart_id": cart.pk}, query=query)
    assert response.status_code == 200, response.content
    assert list(response.json()) == ["payment_collection"]
    return dict(response.json()["payment_collection"])


def started(store: Caller, collection_id: str, query: str = "", **body: Any) -> dict[str, Any]:
    asked = {"provider_id": FAKE, **body}
    response = store.post(f"{PATH}/{collection_id}/payment-sessions", asked, query=query)
    assert response.status_code == 200, response.content
    assert list(response.json()) == ["payment_collection"]
    return dict(response.json()["payment_collection"])
