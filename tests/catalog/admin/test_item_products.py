"""Lists of stock name the products that are sold from it."""

from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import InventoryLevel, ProductVariant
from tests.factories import carts as make
from tests.factories.inventory import ReservationFactory, stock
from tests.kit.admin.visits import superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LISTS = ("inventoryitem", "inventorylevel", "reservation", "stockmovement")


def kept(sku: str, title: str) -> tuple[InventoryLevel, ProductVariant]:
    """A variant in stock, a piece of which is reserved."""
    variant = make.sold_variant(10, sku=sku)
    variant.product.title = title
    variant.product.save()
    level: InventoryLevel = stock(variant, 9)
    ReservationFactory(level=level, quantity=1, line_item_id=f"line_{sku}")
    return level, variant


def page(client: Client, name: str) -> Any:
    answer = client.get(f"/admin/catalog/{name}/")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("name", LISTS)
def test_a_row_links_to_its_product(name: str) -> None:
    _, variant = kept("tea", "Assam <Mangalam>")
    link = f'<a href="/admin/catalog/product/{quote(variant.product_id)}/change/"'
    content = page(superuser(), name)
    assert link in content
    assert "Assam &lt;Mangalam&gt;</a>" in content
    readers = page(visitor(f"catalog.view_{name}"), name)
    assert link not in readers
    assert "Assam &lt;Mangalam&gt;" in readers


def test_a_deleted_product_is_not_named() -> None:
    _, variant = kept("tea", "Assam")
    ProductVariant.objects.filter(pk=variant.pk).update(deleted_at="2026-11-27T00:00:00Z")
    assert "Assam" not in page(superuser(), "inventorylevel")


@pytest.mark.parametrize("name", LISTS)
def test_the_page_of_a_row_names_it(name: str) -> None:
    level, variant = kept("tea", "Assam")
    model = level._meta.apps.get_model("catalog", name)
    row = model.objects.latest("pk")
    answer = superuser().get(f"/admin/catalog/{name}/{quote(row.pk)}/change/")
    assert f"/admin/catalog/product/{quote(variant.product_id)}/change/" in answer.content.decode()


@pytest.mark.parametrize("name", LISTS)
def test_many_rows_cost_as_many_statements_as_one(name: str) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client, name)
        return len(queries)

    client = superuser()
    kept("tea", "Assam")
    few = statements()
    for number in range(3):
        kept(f"tea-{number}", f"Assam {number}")
    assert statements() == few
