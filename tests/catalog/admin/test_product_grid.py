"""The grid of variants on a product's page, as its script submits it."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from catalog.models import InventoryLevel, Product, ProductVariant
from tests.catalog.products.test_product_editing import a_shirt, named, variant
from tests.factories.inventory import StockLocationFactory, stock
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.kit.admin.forms import changed, errors, sent, submit
from tests.kit.admin.visits import history, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]

ADD = "/admin/catalog/product/add/"
WRITING = [
    f"catalog.{verb}_{model}"
    for verb in ("view", "add", "change", "delete")
    for model in ("product", "productoption", "productvariant")
]


def page_of(product: Product) -> str:
    return f"/admin/catalog/product/{product.pk}/change/"


def cells(variant: ProductVariant | None = None, values: list[str] | None = None, **pairs: list[str]) -> Any:
    named = {name.replace("__", "."): pair for name, pair in pairs.items()}
    return {"id": variant and variant.pk, "values": values, "cells": named}


def grid(*variants: Any, **given: Any) -> str:
    return json.dumps({"variants": [*variants], "deleted": [], **given})


def save(client: Client, product: Product, text: str, **changes: Any) -> Any:
    return submit(client, page_of(product), sent(client, page_of(product), grid=text, **changes))


def refused(client: Client, product: Product, text: str) -> tuple[list[str], list[Any]]:
    """The errors above the grid, and the faults of its cells."""
    answer = client.post(page_of(product), sent(client, page_of(product), grid=text))
    page = answer.context["adminform"].form.page()
    assert page["sent"] == text
    return errors(answer)["grid"], [(fault["row"], fault["column"], fault["message"]) for fault in page["faults"]]


def shown(client: Client, address: str) -> Any:
    return client.get(address).context["adminform"].form.page()


class TestSaving:
    def test_a_new_product_with_options_and_variants(self):
        client = superuser()
        text = grid(
            cells(values=["S"], sku=["", "cup-s"], prices__usd=["", "7,50"]),
            cells(values=["L"], title=["", "Large"]),
            options=[{"id": None, "title": "Size", "values": ["S", "L"]}],
            read_options=[],
        )
        submit(client, ADD, sent(client, ADD, title="Cup", grid=text))
        assert named(Product.objects.get()) == {"S": ["S"], "Large": ["L"]}
        assert variant("S").price_set.prices.get().amount == Decimal("7.5")
        assert history() == [("Cup", 1)]
        message = json.loads(LogEntry.objects.get().change_message)
        assert [change["added"].get("object") for change in message] == [None, "Size", "S", "Large"]

    def test_cells_of_stored_variants_and_what_the_history_says(self):
        client, shirt = superuser(), a_shirt()
        level = InventoryLevel.objects.get()
        save(
            client,
            shirt,
            grid(
                cells(
                    variant("S"),
                    sku=["shirt-S", "s"],
                    prices__usd=["10.00", "12"],
                    weight=["", "1.5"],
                    **{f"stock__{level.location_id}": ["3", "8"]},
                )
            ),
        )
        level.refresh_from_db()
        assert (variant("S").sku, variant("S").weight, level.stocked_quantity) == ("s", 1.5, 8)
        (changes,) = json.loads(LogEntry.objects.get().change_message)
        assert changes == {
            "changed": {
                "name": "product variant",
                "object": "S",
                "fields": ["SKU", "Weight (none → 1.5)", "Price ($10.00 → $12.00)", "Stocked at Berlin (3 → 8)"],
            }
        }

    def test_without_changes_nothing_is_written(self):
        client, shirt = superuser(), a_shirt()
        save(client, shirt, "")
        assert history() == []

    def test_stock_that_was_sold_meanwhile_is_not_lost(self):
        client, shirt = superuser(), a_shirt()
        level = InventoryLevel.objects.get()
        save(client, shirt, grid(cells(variant("S"), **{f"stock__{level.location_id}": ["10", "12"]})))
        level.refresh_from_db()
        assert level.stocked_quantity == 5

    def test_variants_are_deleted(self):
        client, shirt = superuser(), a_shirt()
        save(client, shirt, grid(deleted=[variant("M").pk]))
        assert named(shirt) == {"S": ["S"]}

    @pytest.mark.parametrize("text", ["1.000", "1,000", "1 000"])
    def test_stock_is_a_whole_number_with_separators(self, text):
        client, shirt = superuser(), a_shirt()
        level = InventoryLevel.objects.get()
        save(client, shirt, grid(cells(variant("S"), **{f"stock__{level.location_id}": ["3", text]})))
        level.refresh_from_db()
        assert level.stocked_quantity == 1000


class TestRefusals:
    def test_cells_that_cannot_be_read(self):
        client, shirt = superuser(), a_shirt()
        berlin = InventoryLevel.objects.get().location_id
        text = grid(
            cells(variant("S"), prices__usd=["10.00", "1,250"], weight=["", "heavy"]),
            cells(variant("M"), weight=["", "9" * 400], **{f"stock__{berlin}": ["", "-1"], "stock__sloc_x": ["3", ""]}),
        )
        assert refused(client, shirt, text) == (
            ["5 cells must be corrected. Nothing was saved."],
            [
                (0, "prices.usd", "'1,250' can be 1.25 or 1250.00. Enter one of the two."),
                (0, "weight", "Enter a number."),
                (1, "weight", "Enter at most 100000000000."),
                (1, f"stock.{berlin}", "Enter 0 or more."),
                (1, "stock.sloc_x", "Enter a whole number, 0 for none."),
            ],
        )

    def test_cells_that_the_verb_refuses_and_the_other_changes_are_kept(self):
        client, shirt = superuser(), a_shirt()
        text = grid(cells(variant("S"), sku=["shirt-S", "shirt-M"], barcode=["", "1"]))
        values = sent(client, page_of(shirt), grid=text, title="Blouse")
        answer = client.post(page_of(shirt), values)
        form = answer.context["adminform"].form
        assert form["title"].value() == "Blouse"
        assert form.page()["sent"] == text
        assert form.page()["faults"] == [{"row": 0, "column": "sku", "message": "The variant 'M' has this SKU."}]
        shirt.refresh_from_db()
        assert (shirt.title, variant("S").barcode) == ("Shirt", None)

    def test_what_another_has_saved_since(self):
        client, shirt = superuser(), a_shirt()
        values = sent(client, page_of(shirt), grid=grid(cells(variant("S"), sku=["shirt-S", "mine"])))
        other = superuser()
        save(other, shirt, grid(cells(variant("S"), sku=["shirt-S", "theirs"])))
        (fault,) = client.post(page_of(shirt), values).context["adminform"].form.page()["faults"]
        assert fault["message"].startswith(f"Current value: theirs. Saved by {other.user} at ")
        assert fault["current"] == "theirs"
        submit(client, page_of(shirt), changed(values, grid=grid(cells(variant("S"), sku=["theirs", "mine"]))))
        assert variant("S").sku == "mine"

    def test_faults_of_options(self):
        client, shirt = superuser(), a_shirt()
        text = grid(options=[{"id": None, "title": "", "values": ["x"]}], read_options=[])
        assert refused(client, shirt, text)[0] == ["The option's title must not be blank."]

    @pytest.mark.parametrize(
        "text",
        [
            "no", "[]", "1", "{}", '{"variants": 1, "deleted": []}', '{"variants": [1], "deleted": []}',
            '{"variants": [], "deleted": [1]}', '{"variants": [], "deleted": ["\\u0000"]}',
            '{"variants": [{"id": 1, "cells": {}}], "deleted": []}',
            '{"variants": [{"id": null, "cells": {"sku": ["a"]}}], "deleted": []}',
            '{"variants": [{"id": null, "cells": {"sku": [1, 2]}}], "deleted": []}',
            '{"variants": [{"id": null, "cells": {"colour": ["", "a"]}}], "deleted": []}',
            '{"variants": [{"id": null, "cells": {}, "values": "ab"}], "deleted": []}',
            '{"variants": [], "deleted": [], "options": [{}]}',
        ],
    )  # fmt: skip
    def test_texts_that_no_page_submits(self, text):
        client, shirt = superuser(), a_shirt()
        answer = client.post(page_of(shirt), sent(client, page_of(shirt), grid=text))
        assert errors(answer)["grid"] == ["The variants could not be read. Reload the page."]


class TestPage:
    def test_its_columns_and_cells(self):
        client, shirt = superuser(), a_shirt()
        page = shown(client, page_of(shirt))
        assert [column["label"] for column in page["columns"]] == [
            "Title", "SKU", "Barcode", "Price $", "Stock Berlin", "Weight",
        ]  # fmt: skip
        assert [(row["values"], row["cells"]) for row in page["variants"]] == [
            (["S"], ["S", "shirt-S", "", "10.00", "3", ""]),
            (["M"], ["M", "shirt-M", "", "", "", ""]),
        ]

    def test_prices_for_quantities_are_not_in_it_and_bundles_have_no_stock(self):
        client, shirt = superuser(), a_shirt()
        price(variant("M"), 5, min_quantity=3)
        stock(variant("S"), 7, location=StockLocationFactory(name="Ulm"))
        small, medium = shown(client, page_of(shirt))["variants"]
        assert (small["is_bundle"], small["cells"][3:]) == (True, ["10.00", "", "", ""])
        assert (medium["is_bundle"], medium["cells"][3:]) == (False, ["", "", "", ""])

    def test_users_see_and_change_the_columns_that_they_may(self):
        shirt = a_shirt()
        page = shown(visitor(*WRITING), page_of(shirt))
        assert [column["key"] for column in page["columns"]] == ["title", "sku", "barcode", "weight"]
        page = shown(visitor(*WRITING, "catalog.view_price"), page_of(shirt))
        assert [(column["key"], column["is_editable"]) for column in page["columns"]][3] == ("prices.usd", False)

    def test_a_column_that_the_user_may_not_change_is_refused(self):
        shirt, client = a_shirt(), visitor(*WRITING, "catalog.view_price")
        values = sent(client, page_of(shirt), grid=grid(cells(variant("S"), prices__usd=["10.00", "1"])))
        answer = client.post(page_of(shirt), values)
        assert "is required" in " ".join(answer.context["adminform"].form.non_field_errors())

    @pytest.mark.parametrize(
        "permissions", [["catalog.view_product"], [one for one in WRITING if one != "catalog.delete_productvariant"]]
    )
    def test_others_get_the_tables(self, permissions):
        answer = visitor(*permissions).get(page_of(a_shirt()))
        assert answer.status_code == 200
        assert b"variant-grid" not in answer.content

    def test_more_variants_than_it_holds(self, monkeypatch):
        monkeypatch.setattr("catalog.admin.grid.grid_rows.MOST_VARIANTS", 1)
        assert b"variant-grid" not in superuser().get(page_of(a_shirt())).content

    def test_tables_stay_while_the_user_continues(self):
        client, shirt = superuser(), a_shirt()
        address = f"{page_of(shirt)}?tables=1"
        answer = submit(client, address, sent(client, address, title="Blouse", _continue="1"))
        assert answer.url == address

    def test_its_statements_do_not_depend_on_the_variants(self):
        client, product = superuser(), ProductFactory()

        def statements() -> int:
            with CaptureQueriesContext(connection) as context:
                assert client.get(page_of(product)).status_code == 200
            return len(context)

        statements()
        stock(VariantFactory(product=product), 1)
        few = statements()
        for _ in range(10):
            stock(VariantFactory(product=product), 1)
        assert statements() == few
