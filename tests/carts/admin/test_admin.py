"""The screens of carts, as staff use them."""

import re

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from carts.models import Cart
from tests.factories import carts as make
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture
def client() -> Client:
    return superuser()


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
