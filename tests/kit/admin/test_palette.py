"""The palette finds screens of the menu and rows of products, orders and customers."""

from typing import Any

import pytest
from django.test import Client

from tests.factories.customers import CustomerFactory
from tests.factories.orders import order
from tests.factories.products import ProductFactory, VariantFactory
from tests.kit.admin.visits import superuser, visitor

pytestmark = pytest.mark.django_db


def found(client: Client, term: str) -> list[tuple[str, str]]:
    answer = client.get("/admin/search/", {"s": term, "extended": "1"})
    assert answer.status_code == 200
    return [(one.title, one.description) for one in answer.context["results"]]


def test_products_orders_and_customers_are_found_by_what_one_sees() -> None:
    product = ProductFactory(title="Teapot")
    VariantFactory(product=product, sku="teapot-1")
    VariantFactory(product=product, sku="teapot-2")
    customer = CustomerFactory(email="ann@example.com")
    placed, client = order(), superuser()
    assert found(client, "teap") == [("Teapot", "Product")]
    assert found(client, "teapot-2") == [("Teapot", "Product")]
    assert (customer.email, "Customer") in found(client, "ann@")
    assert found(client, f"#{placed.display_id}") == [(f"#{placed.display_id}", "Order · Ann Lee · $118.90")]


def test_the_title_that_begins_with_the_letters_comes_first() -> None:
    for title, description in (("Assam", ""), ("Assamica", ""), ("Second flush Assam", ""), ("Pot", "For Assam")):
        ProductFactory(title=title, description=description)
    assert [title for title, _ in found(superuser(), "Assam")] == ["Assam", "Assamica", "Second flush Assam", "Pot"]


def test_screens_have_the_menus_names() -> None:
    assert found(superuser(), "price l") == [("Price lists", "Catalogue")]


def test_users_find_only_what_they_may_view() -> None:
    ProductFactory(title="Mug")
    assert found(visitor("catalog.view_product"), "mug") == [("Mug", "Product")]
    assert found(visitor("orders.view_order"), "mug") == []
    assert found(visitor(), "orders") == []
    assert Client().get("/admin/search/", {"s": "mug"}).status_code == 302


@pytest.mark.parametrize(
    "query", [{}, {"s": " "}, {"s": "\0"}, {"s": "x " * 300}, {"s": "%"}, {"s": "mug", "page": "x"}]
)
def test_any_query_gets_a_response(query: dict[str, Any]) -> None:
    assert superuser().get("/admin/search/", query).status_code == 200


def test_deleted_rows_are_not_found_and_of_many_the_first_are() -> None:
    for number in range(12):
        ProductFactory(title=f"Mug {number}", deleted_at="2026-11-27T00:00:00Z" if number > 7 else None)
    assert [title for title, _ in found(superuser(), "mug")] == [f"Mug {number}" for number in (7, 6, 5, 4, 3)]
