"""Completion taxes a cart as its tax provider has answered; what it answers later changes no order."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from carts.models import Cart
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from orders.erasure import people
from orders.erasure.erasing import erase
from orders.models import Order, OrderShippingMethodTaxLine, OrderTaxLine
from payments.models import Payment
from taxes.models import TaxQuote
from tests.contract.callers import Caller, refusal
from tests.factories.checkout import checked_out_cart, pay
from tests.kit.graphql.calls import ask, failures
from tests.taxes.quotes.fake_tax_provider import FakeTaxProvider, recalculated
from tests.taxes.quotes.test_fallback import raising

pytestmark = pytest.mark.django_db(transaction=True)

COMPLETE = "mutation ($id: ID!) { completeCart(id: $id) { type order { id total } } }"


def complete(store: Caller, cart: Cart) -> Any:
    return store.post(f"/store/carts/{cart.pk}/complete")


def order_of(response: Any) -> Order:
    assert response.status_code == 200, response.content
    found: Order = Order.objects.get(pk=response.json()["order"]["id"])
    return found


def answered_cart(store: Caller) -> Cart:
    """50.00 and 5.00 for shipping, with an answer for it, and a payment session."""
    cart = recalculated(store, checked_out_cart())
    pay(cart)
    return cart


def test_the_stored_answer_is_used(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    cart = answered_cart(store)
    monkeypatch.setattr(provider, "answer", raising)
    order = order_of(complete(store, cart))
    assert (order.total, order.tax_fallback, len(provider.requests)) == (Decimal("59.13"), None, 1)
    for lines, total in ((OrderTaxLine, "3.75"), (OrderShippingMethodTaxLine, "0.38")):
        (line,) = lines.objects.all()
        assert (line.provider_id, line.description, line.code) == ("txp_fake", "City of Springfield", "NYC")
        assert (line.rate, line.total) == (Decimal("7.5"), Decimal(total))


def unasked_cart(settings: Any) -> Cart:
    """The same without an answer, as from the time before the country had a provider."""
    providers, settings.TAX_PROVIDERS = settings.TAX_PROVIDERS, {}
    cart = checked_out_cart()
    pay(cart)
    settings.TAX_PROVIDERS = providers
    return Cart.objects.get(pk=cart.pk)


def changed_message(cart: Cart) -> str:
    """What is said once the provider's rates have replaced the shop's."""
    line, method = cart.items.get(), cart.shipping_methods.get()
    goods = f"the tax on {line.title} ({line.variant_title}) is 3.75 instead of 5.00"
    shipping = f"the tax on {method.name} is 0.38 instead of 0.50"
    said = f"The total of the cart has changed from 60.50 to 59.13 usd: {goods}; {shipping}"
    return f"{said}. Review the cart and complete it again"


def test_the_provider_is_asked_first_and_a_changed_total_is_refused_as_any_other(
    store: Caller, provider: type[FakeTaxProvider], settings: Any
) -> None:
    cart = unasked_cart(settings)
    assert (cart.total, provider.requests) == (Decimal("60.50"), [])
    refused = complete(store, cart)
    assert (refused.status_code, refused.json()["message"]) == (400, changed_message(cart))
    cart.refresh_from_db()
    assert (cart.total, len(provider.requests), provider.in_transaction) == (Decimal("59.13"), 1, [False])
    pay(cart)
    assert order_of(complete(store, cart)).total == Decimal("59.13")
    assert len(provider.requests) == 1


def test_graphql_also_refuses_a_changed_total(store: Caller, provider: type[FakeTaxProvider], settings: Any) -> None:
    cart = unasked_cart(settings)
    failed = ask(store, COMPLETE, {"id": cart.pk}, Idempotency_Key="a-key-of-twenty-signs-0001")
    assert [message for _, message, _ in failures(failed)] == [changed_message(cart)]
    pay(Cart.objects.get(pk=cart.pk))
    done = ask(store, COMPLETE, {"id": cart.pk}).json()["data"]["completeCart"]
    assert (done["order"]["total"], provider.in_transaction) == (59.13, [False])


def test_a_later_answer_changes_no_order(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch, admin_client: Client
) -> None:
    good = provider.answer
    monkeypatch.setattr(provider, "answer", raising)
    cart = answered_cart(store)
    order = order_of(complete(store, cart))
    assert (order.total, order.tax_fallback, len(provider.requests)) == (Decimal("60.50"), "no_response", 1)
    page = f"/admin/orders/order/{order.pk}/change/"
    assert "shop&#x27;s own rates (tax provider did not respond)" in admin_client.get(page).content.decode()

    monkeypatch.setattr(provider, "answer", good)
    TaxQuote.objects.update(requested_at=now() - timedelta(hours=2))
    assert order_of(complete(store, cart)) == order
    assert refusal(store.post(f"/store/carts/{cart.pk}/taxes"))[0] in (400, 404)
    TaxQuote.objects.update(rates=[[[75000, "NYC", "late"]]] * 2, finished_at=now())
    assert order_of(complete(store, cart)).total == Decimal("60.50")
    assert {line.provider_id for line in OrderTaxLine.objects.all()} == {"system"}
    assert len(provider.requests) == 1


def test_an_order_taxed_by_its_provider_says_nothing_of_own_rates(
    store: Caller, provider: type[FakeTaxProvider], admin_client: Client
) -> None:
    order = order_of(complete(store, answered_cart(store)))
    assert "own rates" not in admin_client.get(f"/admin/orders/order/{order.pk}/change/").content.decode()


def test_a_payment_session_is_for_what_the_provider_says(store: Caller, provider: type[FakeTaxProvider]) -> None:
    cart = checked_out_cart()
    collection = store.post("/store/payment-collections", {"cart_id": cart.pk}).json()["payment_collection"]
    path = f"/store/payment-collections/{collection['id']}/payment-sessions"
    opened = store.post(path, {"provider_id": "pp_system_default"}).json()["payment_collection"]
    assert (opened["amount"], opened["payment_sessions"][0]["amount"]) == (59.13, 59.13)
    assert (len(provider.requests), provider.in_transaction) == (1, [False])


def test_an_erasure_takes_the_answers(store: Caller, provider: type[FakeTaxProvider]) -> None:
    order = order_of(complete(store, answered_cart(store)))
    other = recalculated(store, checked_out_cart(email="someone@example.com"))
    Order.objects.filter(pk=order.pk).update(status="canceled")
    Cart.objects.filter(pk=other.pk).update(email="someone@example.com")
    assert TaxQuote.objects.count() == 2
    Payment.objects.update(canceled_at=now())  # so that nothing of the order is open
    erase(actor=SYSTEM, person=people.guest_of(order.pk))
    assert [answer.cart_id for answer in TaxQuote.objects.all()] == [other.pk]
    Cart.objects.get(pk=other.pk).delete()
    assert TaxQuote.objects.count() == 0
