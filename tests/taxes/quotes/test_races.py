"""Of requests that need the same answer at once, one asks the tax provider; a killed one leaves no cart behind."""

import time
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from carts.details import details
from kit.values.timestamps import now
from taxes.models import TaxQuote
from taxes.providers.base import TaxRequest
from taxes.quotes import provider_calls, stored_quotes
from tests.concurrency.crowd import at_once
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.taxes.quotes.fake_tax_provider import ADDRESS, FakeTaxProvider, recalculated, taxed_cart

pytestmark = pytest.mark.django_db(transaction=True)


def slowly(provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, seconds: float = 0.5) -> None:
    good = provider.answer

    def answer(request: TaxRequest) -> Any:
        time.sleep(seconds)
        return good(request)

    monkeypatch.setattr(provider, "answer", answer)


def test_one_asks_and_the_others_wait_for_its_answer(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly(provider, monkeypatch)
    cart = taxed_cart()
    details.change(actor=make.shopper(), cart_id=cart.pk, shipping_address=ADDRESS)  # asks nobody by itself

    def recalculate(turn: int) -> Any:
        answer = Caller(**store.headers).post(f"/store/carts/{cart.pk}/taxes")
        return answer.status_code, answer.json()["cart"]["total"]

    assert at_once(recalculate, threads=4) == [(200, 107.5)] * 4
    assert (len(provider.requests), TaxQuote.objects.count()) == (1, 1)


def test_a_change_while_the_provider_thinks_is_taxed_by_its_own_answer(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly(provider, monkeypatch)
    cart = taxed_cart(shipping_address=ADDRESS)
    line = cart.items.get()

    def change(turn: int) -> Any:
        if turn:
            return Caller(**store.headers).post(f"/store/carts/{cart.pk}/taxes").status_code
        path = f"/store/carts/{cart.pk}/line-items/{line.pk}"
        return Caller(**store.headers).post(path, {"quantity": 3}).status_code

    assert at_once(change, threads=2) == [200, 200]
    cart.refresh_from_db()
    assert (cart.total, cart.tax_fallback) == (Decimal("322.5"), None)
    assert 1 <= len(provider.requests) <= 2


def test_the_limit_holds_for_requests_at_once(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly(provider, monkeypatch, 0.1)
    monkeypatch.setattr(stored_quotes, "PER_HOUR", 2)
    cart = taxed_cart(shipping_address=ADDRESS)
    line = cart.items.get()

    def change(turn: int) -> Any:
        path = f"/store/carts/{cart.pk}/line-items/{line.pk}"
        return Caller(**store.headers).post(path, {"quantity": turn + 2}).status_code

    assert at_once(change, threads=6) == [200] * 6
    assert len(provider.requests) == 2


def test_a_process_that_is_killed_between_question_and_answer(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    cart = taxed_cart(shipping_address=ADDRESS)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(provider_calls, "store", die)
        with pytest.raises(KeyboardInterrupt):
            store.post(f"/store/carts/{cart.pk}/taxes")
    cart.refresh_from_db()
    assert (cart.total, TaxQuote.objects.get().finished_at) == (110, None)
    TaxQuote.objects.update(requested_at=now() - timedelta(seconds=settings.TAX_PROVIDER_TIMEOUT + 6))
    assert recalculated(store, cart).total == Decimal("107.5")
    assert (len(provider.requests), TaxQuote.objects.count()) == (2, 1)
