"""The grid of prices and stock of the filtered products of the list."""

import json
from typing import Any

import pytest
from django.test import Client

from catalog.admin.grid import bulk_grid
from catalog.models import InventoryLevel, Price, ProductVariant
from kit.values.ids import new_ulid
from kit.values.timestamps import now
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

LIST = "/admin/catalog/product/"
GRID = f"{LIST}edit_prices_and_stock/"


def sold(title: str, amount: int = 10, units: int = 5) -> ProductVariant:
    variant = VariantFactory(product=ProductFactory(title=title), title="Only", sku=title.lower())
    price(variant, amount)
    location = StockLocationFactory._meta.model.objects.first() or StockLocationFactory(name="Berlin")
    stock(variant, units, location=location)
    return variant


def page(client: Client, query: str = "") -> dict[str, Any]:
    answer = client.get(f"{GRID}{query}")
    assert answer.status_code == 200
    return answer.context["page"]


def submit(client: Client, *rows: tuple[ProductVariant, dict[str, list[str]]], ticket: str | None = None) -> Any:
    variants = [{"id": variant.pk, "values": None, "cells": cells} for variant, cells in rows]
    grid = json.dumps({"variants": variants, "deleted": []})
    return client.post(GRID, {"grid": grid, "ticket": new_ulid() if ticket is None else ticket})


def stocked(variant: ProductVariant) -> int:
    return InventoryLevel.objects.get(inventory_item__variants=variant).stocked_quantity


def amount(variant: ProductVariant) -> object:
    return Price.objects.get(price_set=variant.price_set_id).amount


def test_it_has_the_variants_of_the_filtered_products() -> None:
    sold("Tea")
    sold("Mug", amount=4, units=2)
    shown = page(superuser(), "?q=mug")
    keys = [column["key"] for column in shown["columns"]]
    assert [column["is_editable"] for column in shown["columns"]] == [False, False, *[True] * (len(keys) - 2)]
    (row,) = shown["variants"]
    location = InventoryLevel.objects.first().location_id
    assert dict(zip(keys, row["cells"], strict=True)) == {
        "title": "Mug / Only", "sku": "mug", "prices.usd": "4.00", f"stock.{location}": "2",
    }  # fmt: skip


def test_prices_and_stock_of_several_products_are_saved_at_once() -> None:
    tea, mug = sold("Tea"), sold("Mug")
    column = f"stock.{InventoryLevel.objects.first().location_id}"
    answer = submit(
        superuser(), (tea, {"prices.usd": ["10.00", "12.5"]}), (mug, {"prices.usd": ["10.00", "9"], column: ["5", "8"]})
    )
    assert answer.status_code == 302
    assert reported(answer) == ["2 variants were saved."]
    assert (amount(tea), amount(mug), stocked(tea), stocked(mug)) == (12.5, 9, 5, 8)
    assert sorted(history()) == [("Mug", 2), ("Tea", 2)]


def test_what_cannot_be_saved_is_reported_at_its_row_and_nothing_is_saved() -> None:
    tea, mug = sold("Tea"), sold("Mug")
    answer = submit(superuser(), (tea, {"prices.usd": ["10.00", "12"]}), (mug, {"prices.usd": ["10.00", "12.3456"]}))
    assert answer.status_code == 200
    (fault,) = answer.context["page"]["faults"]
    assert (fault["row"], fault["column"]) == (1, "prices.usd")
    assert answer.context["problems"] == ["1 cell must be corrected. Nothing was saved."]
    assert (amount(tea), amount(mug), history()) == (10, 10, [])


def test_a_price_that_was_changed_meanwhile_is_not_overwritten() -> None:
    tea = sold("Tea")
    Price.objects.update(amount=11)
    answer = submit(superuser(), (tea, {"prices.usd": ["10.00", "12"]}))
    (fault,) = answer.context["page"]["faults"]
    assert fault["current"] == "11.00"
    assert amount(tea) == 11
    assert submit(superuser(), (tea, {"prices.usd": ["11.00", "12"]})).status_code == 302
    assert amount(tea) == 12


@pytest.mark.parametrize(
    ("column", "name"), [("title", "Title"), ("sku", "SKU"), ("barcode", "Barcode"), ("weight", "Weight")]
)
def test_a_field_that_is_only_shown_cannot_be_changed(column: str, name: str) -> None:
    tea = sold("Tea")
    before = ProductVariant.objects.values().get()
    answer = submit(superuser(), (tea, {column: ["", "9"], "prices.usd": ["10.00", "12"]}))
    assert answer.context["problems"] == [f"{name} cannot be changed in this grid. Nothing was saved."]
    assert ProductVariant.objects.values().get() == before
    assert amount(tea) == 10


def test_options_cannot_be_changed() -> None:
    tea = sold("Tea")
    grid = json.dumps({"variants": [{"id": tea.pk, "values": ["S"], "cells": {}}], "deleted": []})
    answer = superuser().post(GRID, {"grid": grid, "ticket": new_ulid()})
    assert answer.context["problems"] == ["Option values cannot be changed in this grid. Nothing was saved."]


def test_variants_cannot_be_deleted() -> None:
    tea = sold("Tea")
    cells = {"prices.usd": ["10.00", "12"]}
    grid = json.dumps({"variants": [{"id": tea.pk, "cells": cells}], "deleted": [tea.pk]})
    answer = superuser().post(GRID, {"grid": grid, "ticket": new_ulid()})
    assert answer.context["problems"] == ["Variants cannot be deleted in this grid. Nothing was saved."]
    assert amount(tea) == 10


def test_a_grid_without_a_ticket_is_not_saved() -> None:
    tea = sold("Tea")
    answer = submit(superuser(), (tea, {"prices.usd": ["10.00", "12"]}), ticket="")
    assert answer.context["problems"] == ["The grid could not be read. Reload the page."]
    assert amount(tea) == 10


def test_a_variant_that_was_deleted_meanwhile_is_reported() -> None:
    tea = sold("Tea")
    ProductVariant.objects.update(deleted_at=now())
    (fault,) = submit(superuser(), (tea, {"prices.usd": ["10.00", "12"]})).context["page"]["faults"]
    assert fault["message"] == "The variant was deleted meanwhile. Reload the page."


@pytest.mark.parametrize("is_saved_before", [True, False])
def test_what_was_entered_comes_back_also_beyond_the_variants_that_fit(
    monkeypatch: pytest.MonkeyPatch, is_saved_before: bool
) -> None:
    monkeypatch.setattr(bulk_grid, "MOST_VARIANTS", 1)
    tea, mug, pot = sold("Tea"), sold("Mug"), sold("Pot")
    client, ticket = superuser(), new_ulid()
    assert [row["id"] for row in page(client)["variants"]] == [pot.pk]
    if is_saved_before:
        submit(client, (pot, {"prices.usd": ["10.00", "11"]}), ticket=ticket)
    entered = "12" if is_saved_before else "x"
    answer = submit(client, (mug, {"prices.usd": ["10.00", entered]}), ticket=ticket)
    shown = answer.context["page"]
    assert [row["id"] for row in shown["variants"]] == [pot.pk, mug.pk]
    assert json.loads(shown["sent"])["variants"][0]["id"] == mug.pk
    assert (answer.context["others"], amount(mug), amount(tea)) == (2, 10, 10)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"variants": [], "deleted": ["x"]}', '{"variants": [{}], "deleted": []}']
)
def test_other_input_is_refused(text: str) -> None:
    sold("Tea")
    answer = superuser().post(GRID, {"grid": text})
    assert answer.status_code in (200, 302)
    assert (ProductVariant.objects.filter(deleted_at=None).count(), history()) == (1, [])


def test_it_requires_the_permissions_of_what_it_edits() -> None:
    tea = sold("Tea")
    viewer = visitor("catalog.view_product", "catalog.view_price", "catalog.view_inventorylevel")
    assert viewer.get(GRID).status_code in (302, 403, 404)
    submit(viewer, (tea, {"prices.usd": ["10.00", "12"]}))
    stocks = ("catalog.view_inventorylevel", "catalog.add_inventorylevel", "catalog.change_inventorylevel")
    keeper = visitor("catalog.view_product", "catalog.change_productvariant", *stocks)
    keys = [column["key"] for column in page(keeper)["columns"] if column["is_editable"]]
    assert [key.partition(".")[0] for key in keys] == ["stock"]
    submit(keeper, (tea, {"prices.usd": ["10.00", "12"]}))
    assert amount(tea) == 10


def test_wrong_filters_lead_to_the_list_which_reports_them() -> None:
    query = "nope__startswith=a"
    StockLocationFactory()  # a column to edit
    client = superuser()
    for answer in (client.get(f"{GRID}?{query}"), client.post(f"{GRID}?{query}", {"grid": "{}"})):
        assert (answer.status_code, answer["Location"]) == (302, f"{LIST}?e=1")


def test_the_button_keeps_the_filters_of_the_list() -> None:
    sold("Tea")
    html = superuser().get(f"{LIST}?q=tea").content.decode()
    assert f'href="{GRID}?q=tea"' in html


def test_it_has_more_products_than_a_page_of_the_list() -> None:
    variants = [sold(f"Tea {number:02}") for number in range(27)]
    client = superuser()
    assert [row["id"] for row in page(client, "?o=2")["variants"]] == [variant.pk for variant in variants]
    assert [row["id"] for row in page(client, "?o=2&p=2")["variants"]] == [variant.pk for variant in variants[25:]]


def test_it_has_whole_products_and_says_how_many_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_grid, "MOST_VARIANTS", 3)
    variants = [sold(f"Tea {number}") for number in range(4)]
    VariantFactory(product=variants[1].product, title="Second", variant_rank=2)
    VariantFactory(product=variants[2].product, title="Second", variant_rank=2)
    answer = superuser().get(f"{GRID}?o=2")
    assert [row["cells"][0] for row in answer.context["page"]["variants"]] == [
        "Tea 0 / Only",
        "Tea 1 / Only",
        "Tea 1 / Second",
    ]
    assert "2 more products of the list follow." in answer.content.decode()


@pytest.mark.parametrize("query", ["?p=0", "?p=-1", "?p=2", f"?p={10**30}", "?all=1&p=0"])
def test_a_page_that_does_not_exist_is_the_nearest_one(query: str) -> None:
    tea = sold("Tea")
    answer = superuser().get(f"{GRID}{query}")
    assert (answer.status_code, answer.context["others"]) == (200, 0)
    assert [row["id"] for row in answer.context["page"]["variants"]] == [tea.pk]
