"""The pages of a product's variants: turning one saves it, so that nothing that was entered is lost."""

import json
import re
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client

from catalog.admin.grid import bulk_grid, grid_place
from catalog.admin.variants.variant_table import VariantInline
from catalog.models import InventoryLevel, Product
from kit.values.ids import new_ulid
from tests.factories.inventory import stock
from tests.factories.pricing import price
from tests.factories.products import OptionFactory, ProductFactory, VariantFactory
from tests.kit.admin.forms import changed, sent, submit
from tests.kit.admin.visits import history, reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

GRID = "/admin/catalog/product/edit_prices_and_stock/"


def product_of(count: int, title: str = "Shirt") -> Product:
    product = ProductFactory(title=title)
    size = OptionFactory(product=product, title="Size", values=[str(rank) for rank in range(count)])
    for rank, value in enumerate(size.values.order_by("pk")):
        variant = VariantFactory(product=product, title=f"{title} {rank}", variant_rank=rank, options=[value])
        price(variant, 10 + rank)
    return product


@pytest.fixture
def shirt(monkeypatch: pytest.MonkeyPatch) -> Product:
    """With five variants, of which a page has two."""
    monkeypatch.setattr(VariantInline, "per_page", 2)
    return product_of(5)


def page_of(product: Product, query: str = "") -> str:
    return f"/admin/catalog/product/{product.pk}/change/?tables=1{query}"


class TestTables:
    def test_the_pages_are_buttons_that_say_that_they_save(self, shirt: Product) -> None:
        page = superuser().get(page_of(shirt)).content.decode()
        assert re.findall(r'<button type="submit" name="_turn" value="([^"]+)"', page) == [
            "variants-page=2",
            "variants-page=3",
        ]
        assert "5 variants. Opening another page saves this one:" in page

    def test_turning_saves_what_was_entered(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt), **{"variants-1-sku": "S-1"})
        answer = client.post(page_of(shirt), {**given, "_turn": "variants-page=3"})
        assert answer["Location"] == f"{page_of(shirt)}&variants-page=3#variants-heading"
        assert reported(answer) == ["Your changes were saved."]
        assert shirt.variants.get(sku="S-1").title == "Shirt 1"
        shown = client.get(answer["Location"]).context["inline_admin_formsets"][-1].formset
        assert [form.instance.title for form in shown.initial_forms] == ["Shirt 4"]

    def test_turning_an_unchanged_page_writes_and_says_nothing(self, shirt: Product) -> None:
        client = superuser()
        answer = client.post(page_of(shirt), {**sent(client, page_of(shirt)), "_turn": "variants-page=2"})
        assert (reported(answer), history()) == ([], [])

    def test_back_and_another_page_leads_to_that_one(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt))
        for number in (2, 3):
            answer = client.post(page_of(shirt), {**given, "_turn": f"variants-page={number}"})
            assert answer["Location"] == f"{page_of(shirt)}&variants-page={number}#variants-heading"

    def test_a_page_that_was_turned_unchanged_can_be_saved_after_back(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt))
        client.post(page_of(shirt), {**given, "_turn": "variants-page=2"})
        submit(client, page_of(shirt), changed(given, **{"variants-1-sku": "S-1"}))
        assert shirt.variants.get(sku="S-1").title == "Shirt 1"

    def test_what_cannot_be_saved_stays_on_its_page(self, shirt: Product) -> None:
        client = superuser()
        given = sent(client, page_of(shirt, "&variants-page=2"), **{"variants-0-weight": "heavy"})
        answer = client.post(page_of(shirt, "&variants-page=2"), {**given, "_turn": "variants-page=1"})
        assert answer.status_code == 200
        assert answer.context["inline_admin_formsets"][-1].formset.forms[0]["weight"].value() == "heavy"
        assert shirt.variants.exclude(weight=None).count() == 0

    def test_continuing_stays_on_the_page(self, shirt: Product) -> None:
        client, second = superuser(), page_of(shirt, "&variants-page=2")
        answer = client.post(second, {**sent(client, second), "_continue": "1"})
        assert answer["Location"] == second

    @pytest.mark.parametrize(
        "asked", ["", "variants-page=", "variants-page=x", "-page=2", "2", "\0-page=1", "variants=2"]
    )
    def test_a_button_that_no_page_has_leads_to_the_list(self, shirt: Product, asked: str) -> None:
        client = superuser()
        answer = client.post(page_of(shirt), {**sent(client, page_of(shirt)), "_turn": asked})
        assert (answer.status_code, answer["Location"]) == (302, "/admin/catalog/product/")

    def test_who_may_only_look_has_links(self, shirt: Product) -> None:
        may = [f"catalog.view_{name}" for name in ("product", "productvariant")]
        page = visitor(*may).get(page_of(shirt)).content.decode()
        assert 'href="?tables=1&amp;variants-page=2#variants-heading"' in page
        assert 'name="_turn"' not in page


@pytest.fixture
def _of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grid has two variants."""
    for module in (bulk_grid, grid_place):
        monkeypatch.setattr(module, "MOST_VARIANTS", 2)


def grid(client: Client, query: str = "") -> tuple[list[str], list[str]]:
    """The titles of the variants, and what the buttons send."""
    context = client.get(f"{GRID}?{query}").context
    return [row["cells"][0] for row in context["page"]["variants"]], [value for value, _ in context["turns"]]


@pytest.mark.usefixtures("_of_two")
class TestGrid:
    def test_it_reaches_all_variants_of_one_product(self) -> None:
        product = product_of(5)
        product_of(1, "Tea")
        client, query = superuser(), f"q={product.pk}"
        assert grid(client, query) == (["Shirt / Shirt 0", "Shirt / Shirt 1"], ["skip=0&first=2"])
        assert grid(client, f"{query}&first=2") == (
            ["Shirt / Shirt 2", "Shirt / Shirt 3"],
            ["skip=0&first=0", "skip=0&first=4"],
        )
        assert grid(client, f"{query}&first=4") == (["Shirt / Shirt 4"], ["skip=0&first=2"])
        page = client.get(f"{GRID}?{query}&first=2").content.decode()
        assert "These are the variants 3 to 4 of 5." in page

    def test_it_reaches_all_products_of_the_list(self) -> None:
        for title, count in (("A", 1), ("B", 1), ("C", 3), ("D", 1)):
            product_of(count, title)
        client, at, seen = superuser(), "", []
        for _ in range(4):
            titles, turns = grid(client, f"o=2&{at}")
            seen.append(titles)
            at = turns[-1]
        assert seen == [["A / A 0", "B / B 0"], ["C / C 0", "C / C 1"], ["C / C 2"], ["D / D 0"]]
        assert at == "skip=0"

    def test_turning_saves_what_was_entered(self) -> None:
        product, client = product_of(3), superuser()
        first = product.variants.get(title="Shirt 0")
        answer = turned(client, f"q={product.pk}", {first.pk: {"prices.usd": ["10.00", "12"]}})
        assert answer["Location"] == f"{GRID}?q={product.pk}&first=2"
        assert reported(answer) == ["1 variant was saved."]
        assert first.price_set.prices.get().amount == 12
        assert reported(turned(superuser(), f"q={product.pk}", {})) == []

    def test_products_that_leave_the_list_by_what_was_entered_are_not_passed_over(self) -> None:
        for title in ("A", "B", "C"):
            for variant in product_of(2, title).variants.all():
                stock(variant, 0)
        client, query = superuser(), "o=2&stock=out"
        assert grid(client, query) == (["A / A 0", "A / A 1"], ["skip=1"])
        levels = InventoryLevel.objects.filter(inventory_item__variants__product__title="A")
        found = levels.values_list("inventory_item__variants", "location")
        cells = {key: {f"stock.{location}": ["0", "5"]} for key, location in found}
        answer = turned(client, query, cells, turn="skip=1")
        assert grid(client, answer["Location"].partition("?")[2])[0] == ["B / B 0", "B / B 1"]

    def test_what_cannot_be_saved_stays(self) -> None:
        product, client = product_of(3), superuser()
        cells = {product.variants.get(title="Shirt 2").pk: {"prices.usd": ["12.00", "cheap"]}}
        answer = turned(client, f"q={product.pk}&first=2", cells)
        assert (answer.status_code, len(answer.context["page"]["faults"])) == (200, 1)
        assert [row["cells"][0] for row in answer.context["page"]["variants"]] == ["Shirt / Shirt 2"]

    @pytest.mark.parametrize("query", ["skip=x", "first=-1", "skip=99999999999999999999", "first=9&skip=9", "skip=%00"])
    def test_places_that_do_not_exist_are_no_error(self, query: str) -> None:
        product_of(1)
        assert superuser().get(f"{GRID}?{query}").status_code == 200

    def test_a_place_behind_all_products_is_no_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(admin.site.get_model_admin(Product), "list_per_page", 1)
        product_of(1), product_of(1)
        assert grid(superuser(), f"skip={2**63 - 1}&p=2") == ([], ["skip=0"])

    def test_the_tables_of_a_product_lead_to_its_grid(self, shirt: Product) -> None:
        page = superuser().get(page_of(shirt)).content.decode()
        assert f"{GRID}?q={shirt.pk}" in page


def turned(client: Client, query: str, cells: dict[str, dict[str, list[str]]], turn: str = "skip=0&first=2") -> Any:
    """By the variant's id, its cells, each as shown and as entered."""
    variants = [{"id": key, "values": None, "cells": given} for key, given in cells.items()]
    given = {"grid": json.dumps({"variants": variants, "deleted": []}), "ticket": new_ulid(), "_turn": turn}
    return client.post(f"{GRID}?{query}", given)
