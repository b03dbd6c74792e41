"""If a tax provider fails or responds with something invalid, the shop's own rates apply, and staff see it."""

import time
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from structlog.testing import capture_logs

from carts.models import Cart
from kit.values.timestamps import now
from shop.providers import timeouts
from taxes.models import TaxQuote
from taxes.providers.base import Rate, TaxRequest
from taxes.quotes import circuit_breaker, stored_quotes
from tests.contract.callers import Caller
from tests.taxes.quotes.fake_tax_provider import (
    ADDRESS,
    PROVIDED,
    WAYS,
    Change,
    FakeTaxProvider,
    recalculated,
    taxed_cart,
)

pytestmark = pytest.mark.django_db(transaction=True)

Answer = Callable[[TaxRequest], Any]
GOOD = Rate(PROVIDED, "NYC", "City of Springfield")


def raising(request: TaxRequest) -> Any:
    raise ConnectionError(f"No way to {request.address.address_1}")


def bad(rate: Any, code: Any = "NYC", name: Any = "City") -> Answer:
    return lambda request: [[Rate(rate, code, name)] for _ in request.goods]


WRONG: dict[str, Answer] = {
    "raises": raising,
    "nothing": lambda request: None,
    "no list": lambda request: 7.5,
    "numbers": lambda request: [PROVIDED for _ in request.goods],
    "tuples": lambda request: [[(PROVIDED, "NYC", "City")] for _ in request.goods],
    "look-alikes": lambda request: [[SimpleNamespace(rate=Decimal(-1), code="", name="")] for _ in request.goods],
    "too few": lambda request: [],
    "too many": lambda request: [[GOOD], [GOOD]],
    "three taxes": lambda request: [[GOOD] * 3 for _ in request.goods],
    "negative": bad(Decimal(-1)),
    "huge": bad(Decimal("1000.01")),
    "five decimals": bad(Decimal("7.12345")),
    "no number": bad(Decimal("NaN")),
    "endless": bad(Decimal("Infinity")),
    "a text for a rate": bad("7.5"),
    "a long code": bad(PROVIDED, code="N" * 65),
    "a long name": bad(PROVIDED, name="N" * 256),
    "a blank name": bad(PROVIDED, name=" "),
    "two lines": bad(PROVIDED, name="City\nof"),
    "no Unicode": bad(PROVIDED, name="\ud800"),
    "no name": bad(PROVIDED, name=None),
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_the_own_rates_apply(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, answer: Answer
) -> None:
    monkeypatch.setattr(provider, "answer", answer)
    cart = taxed_cart()
    with capture_logs() as logs:
        shown = store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS}).json()["cart"]
    assert (shown["total"], shown["items"][0]["tax_lines"][0]["provider_id"]) == (110, "system")
    assert Cart.objects.get(pk=cart.pk).tax_fallback == "no_response"
    events = [entry["event"] for entry in logs if entry["log_level"] == "warning"]
    assert events == ["tax_provider_failed", "tax_fallback"]
    assert "Evergreen" not in repr(logs)


@pytest.mark.parametrize("rate", [Decimal(0), Decimal(1000), 7])
def test_the_largest_and_smallest_rates(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, rate: Any
) -> None:
    monkeypatch.setattr(provider, "answer", bad(rate))
    shown = store.post(f"/store/carts/{taxed_cart().pk}", {"shipping_address": ADDRESS}).json()["cart"]
    assert shown["total"] == 100 + rate


@pytest.mark.parametrize("change", WAYS)
def test_a_silent_provider_is_asked_again_after_an_hour(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    cart, good = taxed_cart(), provider.answer
    monkeypatch.setattr(provider, "answer", raising)
    assert change(store, cart, {"shipping_address": ADDRESS})["total"] == 110
    monkeypatch.setattr(provider, "answer", good)
    assert recalculated(store, cart).total == 110
    assert len(provider.requests) == 1
    TaxQuote.objects.update(requested_at=now() - timedelta(minutes=61))
    assert recalculated(store, cart).total == Decimal("107.5")
    assert (len(provider.requests), Cart.objects.get(pk=cart.pk).tax_fallback) == (2, None)


def test_a_slow_provider_is_given_up(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.TAX_PROVIDER_TIMEOUT = 0.2
    late = Event()
    monkeypatch.setattr(provider, "answer", lambda request: late.wait(30))
    cart, began = taxed_cart(), time.monotonic()
    try:
        shown = store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS}).json()["cart"]
        assert time.monotonic() - began < 20
    finally:
        late.set()
    assert shown["total"] == 110
    assert Cart.objects.get(pk=cart.pk).tax_fallback == "no_response"


def test_after_three_timeouts_a_provider_is_not_called_for_a_while(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.TAX_PROVIDER_TIMEOUT = 0.1
    late, good, clock = Event(), provider.answer, SimpleNamespace(now=1000.0)
    monkeypatch.setattr(circuit_breaker, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(provider, "answer", lambda request: late.wait(30))
    try:
        for _ in range(5):
            store.post(f"/store/carts/{taxed_cart().pk}", {"shipping_address": ADDRESS})
        assert len(provider.requests) == 3
        clock.now += circuit_breaker.SECONDS
        store.post(f"/store/carts/{taxed_cart().pk}", {"shipping_address": ADDRESS})
        cart = taxed_cart()
        assert store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS}).json()["cart"]["total"] == 110
        assert len(provider.requests) == 4
    finally:
        late.set()
    monkeypatch.setattr(provider, "answer", good)
    clock.now += circuit_breaker.SECONDS
    assert recalculated(store, cart).total == Decimal("107.5")


def test_providers_that_refuse_are_called_again(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a shopper could turn the provider off for all, by a postal code that it does not know."""
    monkeypatch.setattr(provider, "answer", raising)
    for _ in range(5):
        store.post(f"/store/carts/{taxed_cart().pk}", {"shipping_address": ADDRESS})
    assert len(provider.requests) == 5


def test_timed_out_calls_are_limited_to_the_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    late, calls = Event(), 0

    def hang() -> None:
        nonlocal calls
        calls += 1
        late.wait(30)

    try:
        for _ in range(20):
            with pytest.raises(TimeoutError):
                timeouts.call_with_timeout(hang, seconds=0.01)
        assert calls == 16
    finally:
        late.set()


def test_a_provider_that_settings_do_not_name(store: Caller, provider: type[FakeTaxProvider], settings: Any) -> None:
    settings.TAX_PROVIDERS = {"another": settings.TAX_PROVIDERS["txp_fake"]}
    cart = taxed_cart()
    shown = store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS}).json()["cart"]
    assert (shown["total"], Cart.objects.get(pk=cart.pk).tax_fallback) == (110, "no_response")


def test_the_last_answer_of_another_question_does_not_count(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    cart = taxed_cart()
    line = cart.items.get()
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    monkeypatch.setattr(provider, "answer", raising)
    path = f"/store/carts/{cart.pk}/line-items/{line.pk}"
    assert store.post(path, {"quantity": 2}).json()["cart"]["total"] == 220
    assert store.post(path, {"quantity": 1}).json()["cart"]["total"] == 107.5
    assert Cart.objects.get(pk=cart.pk).tax_fallback is None


def test_a_cart_is_asked_about_thirty_times_an_hour(store: Caller, provider: type[FakeTaxProvider]) -> None:
    cart = taxed_cart(1)
    line = cart.items.get()
    path = f"/store/carts/{cart.pk}/line-items/{line.pk}"
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    for quantity in range(2, 33):
        store.post(path, {"quantity": quantity})
    assert len(provider.requests) == 30
    cart.refresh_from_db()
    assert (cart.total, cart.tax_fallback) == (Decimal("35.2"), "limit_reached")
    assert store.post(path, {"quantity": 20}).json()["cart"]["total"] == 21.5  # what was answered, is
    assert Cart.objects.get(pk=cart.pk).tax_fallback is None
    other = taxed_cart(1)
    store.post(f"/store/carts/{other.pk}", {"shipping_address": ADDRESS})
    assert len(provider.requests) == 31
    TaxQuote.objects.update(requested_at=now() - timedelta(minutes=61))
    assert store.post(path, {"quantity": 33}).json()["cart"]["total"] == 35.48
    assert len(provider.requests) == 32


def test_failures_count_too(store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_quotes, "PER_HOUR", 3)
    monkeypatch.setattr(provider, "answer", raising)
    cart = taxed_cart(shipping_address=ADDRESS)
    for quantity in range(2, 8):
        store.post(f"/store/carts/{cart.pk}/line-items/{cart.items.get().pk}", {"quantity": quantity})
    assert (len(provider.requests), Cart.objects.get(pk=cart.pk).tax_fallback) == (3, "limit_reached")


def test_own_rates_apply_if_the_transaction_cannot_be_rerun(provider: type[FakeTaxProvider]) -> None:
    """A shop file, for one, is loaded in one transaction."""
    cart = taxed_cart(shipping_address=ADDRESS)
    assert (cart.total, cart.tax_fallback, provider.requests) == (110, "not_called", [])


@pytest.mark.parametrize(
    ("reason", "label"),
    [
        ("no_response", "shop&#x27;s own rates (tax provider did not respond)"),
        (
            "limit_reached",
            "shop&#x27;s own rates (limit of tax provider calls reached)",
        ),
    ],
)
def test_staff_see_it_on_the_cart(
    provider: type[FakeTaxProvider], admin_client: Client, reason: str, label: str
) -> None:
    cart = taxed_cart(shipping_address=ADDRESS)
    Cart.objects.filter(pk=cart.pk).update(tax_fallback=reason)
    assert label in admin_client.get(f"/admin/carts/cart/{cart.pk}/change/").content.decode()
    Cart.objects.filter(pk=cart.pk).update(tax_fallback=None)
    assert "own rates" not in admin_client.get(f"/admin/carts/cart/{cart.pk}/change/").content.decode()


def test_answers_last_for_a_week(store: Caller, provider: type[FakeTaxProvider]) -> None:
    cart = taxed_cart()
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    assert stored_quotes.discard_expired() == 0
    TaxQuote.objects.update(requested_at=now() - timedelta(days=7, minutes=1))
    assert recalculated(store, cart).total == Decimal("107.5")
    assert (len(provider.requests), stored_quotes.discard_expired()) == (1, 1)
    recalculated(store, cart)
    assert len(provider.requests) == 2
