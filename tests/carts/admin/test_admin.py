"""The screens of carts and promotions, as staff use them."""

import re
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from carts.models import Cart, Promotion, PromotionRule
from carts.promotions.promotion_editing import VERBS
from kit.domain.actor import SYSTEM
from shop.models import Currency
from tests.factories import carts as make
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.factories.shop import RegionFactory
from tests.kit.admin.forms import save
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]
LIST = "/admin/carts/promotion/"
SHARE = {"code": "SAVE", "type": "percentage", "value": "10", "currency": "", "target": "items", "status": "active"}
COLLECTION = {"attribute": "items.product.collection_id", "operator": "in"}
REST = {
    **{f"{name}_{part}": "" for name in ("starts_at", "ends_at") for part in (0, 1)},
    "usage_limit": "",
    "usage_limit_per_customer": "",
    "metadata": "",
}


def form(**given: Any) -> dict[str, Any]:
    return {**SHARE, **REST, **given}


@pytest.fixture
def client() -> Client:
    return superuser()


def test_a_promotion_is_made_changed_and_deleted(client: Client) -> None:
    product = ProductFactory()
    assert client.post(f"{LIST}add/", form(products=[product.pk], usage_limit="3")).status_code == 302
    promotion = Promotion.objects.get()
    assert (promotion.code, promotion.value, promotion.usage_limit, promotion.currency_id) == ("SAVE", 10, 3, None)
    assert list(promotion.products.all()) == [product]
    page = reverse("admin:carts_promotion_change", args=[promotion.pk])
    fixed = form(type="fixed", currency="usd", value="2.50", is_automatic="on")
    assert save(client, page, fixed).status_code == 302
    promotion.refresh_from_db()
    assert (promotion.type, promotion.value, promotion.is_automatic, promotion.products.count()) == (
        "fixed",
        2.5,
        True,
        0,
    )
    client.post(reverse("admin:carts_promotion_delete", args=[promotion.pk]), {"post": "yes"})
    assert not Promotion.objects.not_deleted().exists()


@pytest.mark.parametrize(
    "terms",
    [
        {"target_type": "shipping_methods", "allocation": "across"},
        {"target_type": "items", "allocation": "once", "max_quantity": 2},
        {"target_type": "items", "allocation": "across", "target_rules": [COLLECTION]},
        {"target_type": "items", "allocation": "each", "target_rules": [COLLECTION]},
    ],
    ids=["shipping", "once", "across a collection", "each of a collection"],
)
def test_the_form_keeps_what_it_does_not_show_of_a_promotion(client: Client, terms: dict[str, Any]) -> None:
    rules = [{**rule, "values": [ProductCollectionFactory().pk]} for rule in terms.pop("target_rules", ())]
    promotion = VERBS.create(actor=SYSTEM, code="SAVE", type="percentage", value=10, target_rules=rules, **terms)
    page = reverse("admin:carts_promotion_change", args=[promotion.pk])
    assert save(client, page, form(usage_limit="3", target="items")).status_code == 302
    kept = Promotion.objects.values("target_type", "allocation", "max_quantity", "usage_limit", "status").get()
    assert kept == {"max_quantity": None, "usage_limit": 3, "status": "active", **terms}
    assert [rule.attribute for rule in PromotionRule.objects.not_deleted()] == [rule["attribute"] for rule in rules]


def test_the_currencies_of_the_shop_come_first(client: Client) -> None:
    RegionFactory(currency_id="jpy")
    field = client.get(f"{LIST}add/").context["adminform"].form.fields["currency"]
    _, (own, sold), (_, others) = field.choices
    assert (own, [code for code, _ in sold]) == ("Currencies of the shop", ["jpy"])
    assert "usd" in dict(others)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"is_tax_inclusive": "True"}, "is_tax_inclusive"),
        ({"value": "101"}, "value"),
        ({"value": "0"}, "value"),
        ({"type": "fixed"}, "currency"),
        ({"type": "fixed", "currency": "usd", "value": "0.001"}, "value"),
        (
            {"starts_at_0": "2026-02-01", "starts_at_1": "00:00", "ends_at_0": "2026-01-01", "ends_at_1": "00:00"},
            "ends_at",
        ),
        ({"code": "TAKEN"}, "code"),
    ],
)
def test_what_a_promotion_cannot_be_is_reported_at_its_field(client: Client, given: dict[str, str], field: str) -> None:
    make.PromotionFactory(code="TAKEN")
    answer = client.post(f"{LIST}add/", form(**given))
    assert list(answer.context["adminform"].form.errors) == [field]
    assert Promotion.objects.count() == 1


def test_a_fixed_amount_asks_for_its_currency_in_words(client: Client) -> None:
    answer = client.post(f"{LIST}add/", form(type="fixed", currency=""))
    assert answer.context["adminform"].form.errors == {"currency": ["Choose the currency of the amount."]}


def test_a_cart_is_looked_at_with_its_lines_and_never_written(client: Client) -> None:
    cart = make.cart(make.sold_variant(10, sku="mug-l"), email="ann@example.com")
    page = reverse("admin:carts_cart_change", args=[cart.pk])
    shown = client.get(page).content.decode()
    assert f"Cart of ann@example.com, ${cart.total:.2f}" in shown
    assert "mug-l" in shown
    before = Cart.objects.values().get(pk=cart.pk)
    assert client.post(page, {"email": "other@example.com"}).status_code == 403
    assert client.get("/admin/carts/cart/add/").status_code == 403
    assert Cart.objects.values().get(pk=cart.pk) == before


def cells(content: str) -> list[str]:
    """The texts of amounts, in the page's order."""
    return re.findall(r'<span class="whitespace-nowrap">([^<]*)</span>', content)


def test_amounts_of_a_cart_have_their_currency(client: Client) -> None:
    make.PromotionFactory(code="TENTH")
    cart = make.cart(make.sold_variant(10), promo_codes=["TENTH"])
    shown = client.get(reverse("admin:carts_cart_change", args=[cart.pk])).content.decode()
    totals = ["$10.00", "$0.00", "$1.00", "$0.00", "$0.00", "$9.00"]
    assert cells(shown) == [*totals, "$10.00", "$1.00", "$9.00"]
    assert cells(client.get("/admin/carts/cart/").content.decode()) == ["$9.00"]


@pytest.mark.parametrize(("permissions", "is_linked"), [(("catalog.view_productvariant",), True), ((), False)])
def test_lines_link_to_variants_that_the_user_may_open(permissions: tuple[str, ...], is_linked: bool) -> None:
    variant = make.sold_variant(10)
    cart = make.cart(variant)
    page = visitor("carts.view_cart", *permissions).get(reverse("admin:carts_cart_change", args=[cart.pk]))
    link = reverse("admin:catalog_productvariant_change", args=[quote(variant.pk)])
    assert (link in page.content.decode()) is is_linked


def test_a_page_costs_the_same_statements_for_one_line_and_for_many(client: Client) -> None:
    counts = []
    for number in (1, 9):
        cart = make.cart(*(make.sold_variant(10) for _ in range(number)))
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("admin:carts_cart_change", args=[cart.pk]))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 24


def test_carts_are_for_those_who_may_view_them() -> None:
    cart = make.cart(make.sold_variant(10))
    page = reverse("admin:carts_cart_change", args=[cart.pk])
    assert visitor("carts.view_cart").get(page).status_code == 200
    assert visitor("carts.view_promotion").get(page).status_code in (302, 403)


def test_a_carts_screen_tells_what_takes_off_and_what_pays(client: Client) -> None:
    make.PromotionFactory(code="TENTH")
    cart = make.cart(make.sold_variant(10), promo_codes=["TENTH"], metadata={"desk": "left"})
    shown = client.get(reverse("admin:carts_cart_change", args=[cart.pk])).content.decode()
    assert "TENTH" in shown
    assert "Paid by gift cards and store credit" in shown
    assert "desk" in shown


def test_the_list_counts_the_lines_of_those_carts_alone_that_it_shows(client: Client) -> None:
    make.cart(make.sold_variant(10), make.sold_variant(20))
    make.cart()
    with CaptureQueriesContext(connection) as queries:
        rows = client.get("/admin/carts/cart/").context["cl"].result_list
    assert [row.line_count for row in rows] == [0, 2]
    (page,) = [query["sql"] for query in queries if "line_count" in query["sql"]]
    assert 'GROUP BY "carts_cart"' not in page
    assert page.endswith('ORDER BY "carts_cart"."id" DESC')


def test_an_amount_says_whether_it_includes_tax_or_its_currency_does(client: Client) -> None:
    Currency.objects.filter(pk="gbp").update(is_tax_inclusive=True)
    fixed = {"type": "fixed", "currency": "gbp", "value": "5"}
    for code, said, is_taxed in (("A", "", True), ("B", "False", False), ("C", "True", True)):
        assert client.post(f"{LIST}add/", form(code=code, is_tax_inclusive=said, **fixed)).status_code == 302
        assert Promotion.objects.get(code=code).is_tax_inclusive is is_taxed
    page = reverse("admin:carts_promotion_change", args=[Promotion.objects.get(code="C").pk])
    assert save(client, page, form(code="C", is_tax_inclusive="False", **fixed)).status_code == 302
    assert Promotion.objects.get(code="C").is_tax_inclusive is False
    assert save(client, page, form(code="C", is_tax_inclusive="", **fixed)).status_code == 302
    assert Promotion.objects.get(code="C").is_tax_inclusive is True


def test_a_percentage_that_becomes_an_amount_is_as_its_currency_states_prices(client: Client) -> None:
    Currency.objects.filter(pk="gbp").update(is_tax_inclusive=True)
    promotion = make.PromotionFactory(code="TENTH")
    page = reverse("admin:carts_promotion_change", args=[promotion.pk])
    assert client.get(page).context["adminform"].form["is_tax_inclusive"].value() is None
    fixed = form(code="TENTH", type="fixed", currency="gbp", value="5", is_tax_inclusive="")
    assert save(client, page, fixed).status_code == 302
    promotion.refresh_from_db()
    assert promotion.is_tax_inclusive is True


def test_the_form_names_where_currency_and_region_state_prices_differently(client: Client) -> None:
    RegionFactory(name="Germany", currency_id="eur", is_tax_inclusive=True)
    RegionFactory(name="Britain", currency_id="usd", is_tax_inclusive=False)
    content = client.get(f"{LIST}add/").content.decode()
    assert "Only for a fixed amount. eur states prices without tax, but Germany with it." in content
    assert "usd states prices" not in content
