"""A tax provider is asked about a cart, outside transactions and once, and the cart is taxed as it says."""

from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from carts.details import details
from carts.models import Cart, TaxLine
from customers.models import Customer
from kit.database.locking import retry_on_conflict
from kit.safety.idempotency.models import Record
from taxes.models import TaxQuote
from taxes.providers.base import Rate, TaxAddress, TaxedGoods, TaxRequest
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.fulfillment import option
from tests.factories.pricing import price
from tests.factories.taxes import tax_rate
from tests.taxes.quotes.fake_tax_provider import ADDRESS, WAYS, Change, FakeTaxProvider, recalculated, taxed_cart

pytestmark = pytest.mark.django_db(transaction=True)

LINE = {"rate": 7.5, "provider_id": "txp_fake", "description": "City of Springfield", "code": "NYC"}


def shown(line: dict[str, Any]) -> dict[str, Any]:
    return {name: line[name] for name in LINE}


@pytest.mark.parametrize("change", WAYS)
def test_an_address_is_answered_in_the_same_request(
    store: Caller, provider: type[FakeTaxProvider], change: Change
) -> None:
    cart = taxed_cart()
    assert Cart.objects.get(pk=cart.pk).total == 110
    answer = change(store, cart, {"shipping_address": ADDRESS})
    assert (answer["total"], answer["tax_total"]) == (107.5, 7.5)
    assert [shown(line) for item in answer["items"] for line in item["tax_lines"]] == [LINE]
    again = change(store, cart, {"email": "homer@example.com"})
    assert again["total"] == 107.5
    assert (len(provider.requests), provider.in_transaction) == (1, [False])
    assert Cart.objects.get(pk=cart.pk).tax_fallback is None
    assert Record.objects.count() == (2 if "key" in change.__name__ else 0)


def test_what_is_asked(store: Caller, provider: type[FakeTaxProvider]) -> None:
    customer = CustomerFactory(has_account=True)
    make.PromotionFactory(code="TENTH", value=10)
    tea = make.sold_variant(100)
    card = make.sold_variant(25, product__is_giftcard=True)
    region = make.selling_region()
    cart = make.cart(
        make.NewLineItem(tea.pk, 2),
        card,
        region_id=region.pk,
        actor=make.shopper(customer_id=customer.pk),
        promo_codes=["TENTH"],
    )
    Cart.objects.filter(pk=cart.pk).update(customer=None)  # a guest's again, so that this storefront may change it
    chosen = option(5)
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    store.post(f"/store/carts/{cart.pk}/shipping-methods", {"option_id": chosen.pk})
    goods = TaxedGoods(tea.product_id, tea.product.type_id, None, 2, Decimal(180), is_tax_inclusive=False)
    method = TaxedGoods(None, None, chosen.pk, 1, Decimal(5), is_tax_inclusive=False)
    address = TaxAddress("us", "10115", "us-ny", "Springfield", "742 Evergreen Terrace", None)
    assert provider.requests == [
        TaxRequest("usd", address, (goods,), None, None),
        TaxRequest("usd", address, (goods, method), None, None),
    ]
    lines = TaxLine.objects.filter(item__cart=cart)
    assert [(line.item.product_id, line.total) for line in lines] == [(tea.product_id, Decimal("13.5"))]
    cart.refresh_from_db()
    assert (cart.shipping_total, cart.total) == (Decimal("5.38"), Decimal("193.50") + 25 + Decimal("5.38"))


def test_a_customer_with_an_account_is_named(provider: type[FakeTaxProvider]) -> None:
    customer = CustomerFactory(has_account=True, tax_number="US 12")
    shopper = make.shopper(customer_id=customer.pk)
    cart = taxed_cart(actor=shopper)
    change = partial(details.change, actor=shopper, cart_id=cart.pk, shipping_address=ADDRESS)
    retry_on_conflict(change)
    assert [(request.customer_id, request.tax_number) for request in provider.requests] == [(customer.pk, "US 12")]
    Customer.objects.update(tax_number="US 13")
    retry_on_conflict(change)
    assert [request.tax_number for request in provider.requests] == ["US 12", "US 13"]


def test_nobody_is_asked_about_an_exempt_customer(provider: type[FakeTaxProvider]) -> None:
    shopper = make.shopper(customer_id=CustomerFactory(has_account=True, is_tax_exempt=True).pk)
    cart = taxed_cart(actor=shopper)
    retry_on_conflict(partial(details.change, actor=shopper, cart_id=cart.pk, shipping_address=ADDRESS))
    cart.refresh_from_db()
    assert (cart.total, cart.tax_fallback, provider.requests) == (100, None, [])


def test_goods_that_are_not_shipped_are_asked_about_at_the_billing_address(
    store: Caller, provider: type[FakeTaxProvider]
) -> None:
    cart = make.cart(make.ebook(100))
    answer = store.post(f"/store/carts/{cart.pk}", {"billing_address": ADDRESS}).json()["cart"]
    assert (answer["total"], [request.address.postal_code for request in provider.requests]) == (107.5, ["10115"])
    shipped = taxed_cart(region_id=cart.region_id)
    answer = store.post(f"/store/carts/{shipped.pk}", {"billing_address": ADDRESS}).json()["cart"]
    assert (answer["total"], len(provider.requests)) == (110, 1)


def test_two_taxes_on_a_line_each_rounded(
    store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [Rate(Decimal(5), "GST", "GST"), Rate(Decimal("9.975"), "QST", "QST")]
    monkeypatch.setattr(provider, "answer", lambda request: [both for _ in request.goods])
    cart = taxed_cart("1.50")
    answer = store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS}).json()["cart"]
    assert [(line["code"], line["total"]) for line in answer["items"][0]["tax_lines"]] == [("GST", 0.08), ("QST", 0.15)]
    assert answer["total"] == 1.73


def test_no_tax_is_an_answer(store: Caller, provider: type[FakeTaxProvider], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider, "answer", lambda request: [[] for _ in request.goods])
    cart = taxed_cart()
    answer = store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS}).json()["cart"]
    assert (answer["total"], answer["items"][0]["tax_lines"]) == (100, [])


@pytest.mark.parametrize("missing", ["country_code", "postal_code"])
def test_without_country_or_postal_code_the_own_rates_apply(
    store: Caller, provider: type[FakeTaxProvider], missing: str
) -> None:
    cart = taxed_cart()
    given = {name: value for name, value in ADDRESS.items() if name not in (missing, "province")}
    answer = store.post(f"/store/carts/{cart.pk}", {"shipping_address": given}).json()["cart"]
    assert (answer["total"], provider.requests) == (110, [])
    assert Cart.objects.get(pk=cart.pk).tax_fallback == "no_postal_code"


def test_a_country_without_a_provider_has_its_own_rates(store: Caller, provider: type[FakeTaxProvider]) -> None:
    tax_rate("ca", 5)
    cart = taxed_cart(region_id=make.selling_region(countries=["ca"]).pk)
    there = {"country_code": "ca", "postal_code": "K1A 0B1"}
    assert store.post(f"/store/carts/{cart.pk}", {"shipping_address": there}).json()["cart"]["total"] == 105
    assert provider.requests == []


def test_with_one_line_that_is_shipped_the_shipping_address_counts(
    store: Caller, provider: type[FakeTaxProvider]
) -> None:
    tax_rate("ca", 5)
    cart = make.cart(make.ebook(100), region_id=make.selling_region(countries=["us", "ca"]).pk)
    there = {"country_code": "ca", "postal_code": "K1A 0B1"}
    addresses = {"shipping_address": there, "billing_address": ADDRESS}
    assert store.post(f"/store/carts/{cart.pk}", addresses).json()["cart"]["total"] == 107.5
    assert [request.address.postal_code for request in provider.requests] == ["10115"]
    mug = {"variant_id": make.sold_variant(100).pk, "quantity": 1}
    assert store.post(f"/store/carts/{cart.pk}/line-items", mug).json()["cart"]["total"] == 210
    assert len(provider.requests) == 1


def test_a_new_cart_with_an_address_is_asked_about_once(store: Caller, provider: type[FakeTaxProvider]) -> None:
    variant = make.sold_variant(100)
    given = {
        "region_id": make.selling_region().pk,
        "shipping_address": ADDRESS,
        "items": [{"variant_id": variant.pk, "quantity": 1}],
    }
    made = store.post("/store/carts", given).json()["cart"]
    assert (made["total"], len(provider.requests), Cart.objects.count()) == (107.5, 1, 1)
    assert recalculated(store, Cart.objects.get(pk=made["id"])).total == Decimal("107.5")
    assert (len(provider.requests), TaxQuote.objects.count()) == (1, 1)


def test_a_changed_cart_calls_again_and_a_restored_one_does_not(store: Caller, provider: type[FakeTaxProvider]) -> None:
    cart = taxed_cart()
    line = cart.items.get()
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    for quantity, asks in ((2, 2), (1, 2), (2, 2), (3, 3)):
        answer = store.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": quantity}).json()["cart"]
        assert (answer["total"], len(provider.requests)) == (107.5 * quantity, asks)
    moved = {**ADDRESS, "postal_code": "10116"}
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": moved})
    assert [request.address.postal_code for request in provider.requests] == ["10115"] * 3 + ["10116"]


def test_shipping_that_becomes_free_is_asked_about_once(store: Caller, provider: type[FakeTaxProvider]) -> None:
    """The price of the method follows the goods, so only the cart's last state is worth a question."""
    chosen = option(5)
    price(chosen.price_set, 0, "usd", rules={"item_total": ("gte", "150")})
    cart = taxed_cart()
    line = cart.items.get()
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    store.post(f"/store/carts/{cart.pk}/shipping-methods", {"option_id": chosen.pk})
    answer = store.post(f"/store/carts/{cart.pk}/line-items/{line.pk}", {"quantity": 2}).json()["cart"]
    assert (answer["shipping_total"], answer["total"]) == (0, 215)
    stated = [[goods.amount for goods in request.goods] for request in provider.requests]
    assert stated == [[100], [100, 5], [200, 0]]


def test_the_table_has_no_address(store: Caller, provider: type[FakeTaxProvider]) -> None:
    cart = taxed_cart()
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM taxes_taxquote")
        (row,) = cursor.fetchall()
    assert cart.pk in row
    assert not [value for value in ADDRESS.values() if value in row]
    assert "Evergreen" not in repr(row)


def test_the_digest_is_keyed(store: Caller, provider: type[FakeTaxProvider], settings: Any) -> None:
    cart = taxed_cart()
    store.post(f"/store/carts/{cart.pk}", {"shipping_address": ADDRESS})
    settings.SECRET_KEY = "another secret of more than thirty-two signs"
    recalculated(store, cart)
    first, second = TaxQuote.objects.values_list("digest", flat=True)
    assert first != second


def test_a_shop_without_tax_providers_pays_no_statement(store: Caller, settings: Any) -> None:
    cart = taxed_cart(shipping_address=ADDRESS)
    statements: list[list[str]] = []
    for providers in (settings.TAX_PROVIDERS, {}):
        settings.TAX_PROVIDERS = providers
        recalculated(store, cart)
        with CaptureQueriesContext(connection) as captured:
            recalculated(store, cart)
        statements.append([each["sql"] for each in captured])
    with_provider, without = statements
    assert not [sql for sql in without if "taxquote" in sql or "provider_id IS NOT NULL" in sql]
    assert len(with_provider) - len(without) == 3  # the provider of the country, the address, the stored answer
