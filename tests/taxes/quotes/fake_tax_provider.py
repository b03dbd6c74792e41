"""A tax provider for tests, and a shop that asks it about carts to the United States."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any, ClassVar

import pytest
from django.db import connection

from carts.models import Cart
from taxes.providers.base import Provider, Rate, TaxRequest
from taxes.quotes import circuit_breaker, provider_calls
from tests.contract.callers import Caller, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.taxes import tax_rate, tax_region
from tests.kit.graphql.calls import ask

OWN, PROVIDED = Decimal(10), Decimal("7.5")
"""Percent."""

ADDRESS = {
    "country_code": "us",
    "postal_code": "10115",
    "province": "us-ny",
    "city": "Springfield",
    "address_1": "742 Evergreen Terrace",
}
CHANGE = """mutation ($id: ID!, $input: CartChangeInput!) { updateCart(id: $id, input: $input) { cart {
  total tax_total: taxTotal items { tax_lines: taxLines { rate provider_id: providerId description code } } } } }"""

Change = Callable[[Caller, Cart, dict[str, Any]], dict[str, Any]]


class FakeTaxProvider(Provider):
    """Keeps its requests, and whether the caller was in a transaction. `answer` may do anything."""

    requests: ClassVar[list[TaxRequest]] = []
    in_transaction: ClassVar[list[bool]] = []

    def rates(self, request: TaxRequest) -> Sequence[Sequence[Rate]]:
        self.requests.append(request)
        return type(self).answer(request)

    @staticmethod
    def answer(request: TaxRequest) -> Any:
        return [[Rate(PROVIDED, "NYC", "City of Springfield")] for _ in request.goods]


@pytest.fixture
def provider(transactional_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[FakeTaxProvider]]:
    """The provider of the United States, whose own rate is OWN."""
    settings.TAX_PROVIDERS = {"txp_fake": f"{__name__}.FakeTaxProvider"}
    tax_rate("us", OWN)
    region = tax_region("us")
    region.provider_id = "txp_fake"
    region.save()
    for counts in ("_timeouts", "_open_until"):
        monkeypatch.setattr(circuit_breaker, counts, {})
    monkeypatch.setattr(FakeTaxProvider, "requests", [])
    monkeypatch.setattr(FakeTaxProvider, "in_transaction", [])
    monkeypatch.setattr(FakeTaxProvider, "answer", FakeTaxProvider.answer)
    call = provider_calls.call_with_timeout

    def call_with_timeout(*given: Any, **named: Any) -> Any:
        FakeTaxProvider.in_transaction.append(connection.in_atomic_block)
        return call(*given, **named)

    monkeypatch.setattr(provider_calls, "call_with_timeout", call_with_timeout)
    yield FakeTaxProvider
    assert not any(FakeTaxProvider.in_transaction)


@pytest.fixture
def store(provider: type[FakeTaxProvider]) -> Caller:
    return storefront(publishable_key())


def by_rest(store: Caller, cart: Cart, given: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = store.post(f"/store/carts/{cart.pk}", given).json()["cart"]
    return shown


def by_graphql(store: Caller, cart: Cart, given: dict[str, Any]) -> dict[str, Any]:
    sent = {_camel(name): value for name, value in given.items()}
    if "shippingAddress" in sent:
        sent["shippingAddress"] = {_camel(name): value for name, value in sent["shippingAddress"].items()}
    shown: dict[str, Any] = ask(store, CHANGE, {"id": cart.pk, "input": sent}).json()["data"]["updateCart"]["cart"]
    return shown


def by_rest_with_a_key(store: Caller, cart: Cart, given: dict[str, Any]) -> dict[str, Any]:
    headers = {"Idempotency_Key": f"a-key-of-twenty-signs-{len(FakeTaxProvider.requests)}"}
    shown: dict[str, Any] = store.post(f"/store/carts/{cart.pk}", given, **headers).json()["cart"]
    return shown


def by_graphql_with_a_key(store: Caller, cart: Cart, given: dict[str, Any]) -> dict[str, Any]:
    keyed = Caller(**store.headers, Idempotency_Key=f"a-key-of-twenty-signs-{len(FakeTaxProvider.requests)}")
    return by_graphql(keyed, cart, given)


WAYS = [by_rest, by_graphql, by_rest_with_a_key, by_graphql_with_a_key]


def taxed_cart(amount: Any = 100, **given: Any) -> Cart:
    """A cart of one line, without an address unless it is given."""
    return make.cart(make.sold_variant(amount), **given)


def recalculated(store: Caller, cart: Cart) -> Cart:
    assert store.post(f"/store/carts/{cart.pk}/taxes").status_code == 200
    return Cart.objects.get(pk=cart.pk)


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
