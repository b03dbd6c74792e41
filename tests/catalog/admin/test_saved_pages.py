"""Pages that were saved and are sent again, as after the browser's Back button, book no difference a second time."""

import json
from typing import Any

import pytest
from django.urls import reverse

from catalog.models import InventoryLevel, Price, Product, ProductVariant
from kit.admin.history.conflicts import SAVED_BEFORE, UNKNOWN
from kit.admin.history.shown_values import NAME
from kit.values.ids import new_ulid
from tests.catalog.admin.test_bulk_grid import GRID, sold, stocked
from tests.catalog.admin.test_bulk_grid import submit as submit_grid
from tests.factories.inventory import count_stock
from tests.kit.admin.forms import Values, changed, errors, filled_in, sent, submit
from tests.kit.admin.visits import history, superuser

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def address(row: Product | ProductVariant) -> str:
    return reverse(f"admin:catalog_{row._meta.model_name}_change", args=[row.pk])


def stock_field(values: Values) -> str:
    (name,) = (name for name in values if name.endswith("-stocked_quantity") and not name.startswith("initial-"))
    return name


def grid(variant: ProductVariant, **cells: list[str]) -> str:
    """A grid with the stock's column as `stock` and the price's as `price`."""
    columns = {"stock": f"stock.{InventoryLevel.objects.get().location_id}", "price": "prices.usd"}
    named = {columns[name]: cell for name, cell in cells.items()}
    return json.dumps({"variants": [{"id": variant.pk, "values": None, "cells": named}], "deleted": []})


def faults(page: Any) -> list[tuple[str, str]]:
    return [(fault["column"], fault["current"]) for fault in page["faults"] if fault["row"] == 0]


class TestPageOfOneRow:
    def test_the_same_values_lead_where_they_led_before(self) -> None:
        tea, client = sold("Tea"), superuser()
        values = sent(client, address(tea))
        given = changed(values, **{stock_field(values): "8"})
        first, second = (submit(client, address(tea), {**given, button: ["x"]}) for button in ("_save", "_continue"))
        assert (first["Location"], stocked(tea), len(history())) == (second["Location"], 8, 1)

    def test_other_values_come_back_beside_the_stored_ones_and_are_saved_by_sending_them_again(self) -> None:
        tea, client = sold("Tea", units=5), superuser()
        values = sent(client, address(tea))
        name = stock_field(values)
        submit(client, address(tea), changed(values, **{name: "8"}))
        answer = client.post(address(tea), changed(values, **{name: "9", "title": "Large"}))
        assert errors(answer) == {"": [SAVED_BEFORE], name: ["Current value: 8."]}
        assert (stocked(tea), ProductVariant.objects.get().title, len(history())) == (8, "Only", 1)
        shown = filled_in(answer)
        assert (shown[name], shown[f"initial-{name}"], shown["title"]) == (["9"], ["8"], ["Large"])
        submit(client, address(tea), shown)
        assert (stocked(tea), ProductVariant.objects.get().title) == (9, "Large")

    def test_a_quantity_without_the_one_that_was_shown_is_not_saved(self) -> None:
        tea, client = sold("Tea", units=5), superuser()
        values = sent(client, address(tea))
        name = stock_field(values)
        answer = client.post(address(tea), changed(values, **{name: "8", f"initial-{name}": None}))
        assert (errors(answer)[name], stocked(tea)) == ([UNKNOWN], 5)
        submit(client, address(tea), filled_in(answer))
        assert stocked(tea) == 8

    def test_a_quantity_that_is_stored_by_now_is_not_booked_again(self) -> None:
        tea, client = sold("Tea", units=5), superuser()
        values = sent(client, address(tea))
        name = stock_field(values)
        submit(client, address(tea), changed(values, **{name: "8"}))
        answer = client.post(address(tea), changed(values, **{name: "8", "title": "Large"}))
        assert errors(answer) == {"": [SAVED_BEFORE]}
        submit(client, address(tea), filled_in(answer))
        assert (stocked(tea), ProductVariant.objects.get().title) == (8, "Large")

    def test_what_was_sold_since_is_shown(self) -> None:
        tea, client = sold("Tea", units=5), superuser()
        values = sent(client, address(tea))
        name = stock_field(values)
        submit(client, address(tea), changed(values, **{name: "8"}))
        count_stock(7)
        answer = client.post(address(tea), changed(values, **{name: "9"}))
        assert errors(answer)[name] == ["Current value: 7."]
        submit(client, address(tea), filled_in(answer))
        assert stocked(tea) == 9

    def test_two_pages_of_one_row_are_two_pages(self) -> None:
        tea, client = sold("Tea", units=5), superuser()
        pages = [sent(client, address(tea)) for _ in range(2)]
        for values in pages:
            submit(client, address(tea), changed(values, **{stock_field(values): "8"}))
        assert stocked(tea) == 11

    def test_a_page_that_was_refused_is_not_saved_yet(self) -> None:
        tea, client = sold("Tea", units=5), superuser()
        values = sent(client, address(tea))
        name = stock_field(values)
        answer = client.post(address(tea), changed(values, **{name: "8", "title": ""}))
        assert errors(answer).keys() == {"title"}
        assert filled_in(answer)[NAME] == values[NAME]
        submit(client, address(tea), changed(filled_in(answer), title="Large"))
        assert stocked(tea) == 8


class TestGridOfOneProduct:
    def test_other_values_come_back_beside_the_stored_ones(self) -> None:
        tea, client = sold("Tea", amount=10, units=5), superuser()
        values = sent(client, address(tea.product))
        given = {"stock": ["5", "8"], "price": ["10.00", "12"]}
        submit(client, address(tea.product), changed(values, grid=grid(tea, **given)))
        answer = client.post(
            address(tea.product), changed(values, title="Assam", grid=grid(tea, **{**given, "stock": ["5", "9"]}))
        )
        assert errors(answer)[""] == [SAVED_BEFORE]
        page = answer.context["adminform"].form.page()
        assert faults(page) == [(f"stock.{InventoryLevel.objects.get().location_id}", "8")]
        assert json.loads(page["sent"]) == json.loads(grid(tea, stock=["8", "9"], price=["12.00", "12"]))
        assert (stocked(tea), Product.objects.get().title) == (8, "Tea")
        again = grid(tea, stock=["8", "9"])
        submit(client, address(tea.product), changed(filled_in(answer), grid=again))
        assert (stocked(tea), Product.objects.get().title, Price.objects.get().amount) == (9, "Assam", 12)

    def test_a_variant_that_was_added_is_not_added_again(self) -> None:
        tea, client = sold("Tea"), superuser()
        values = sent(client, address(tea.product))
        grid = {
            "options": [{"id": None, "title": "Size", "values": ["S", "L"]}],
            "read_options": [],
            "variants": [
                {"id": tea.pk, "values": ["S"], "cells": {}},
                {"id": None, "values": ["L"], "cells": {"title": ["", "Large"]}},
            ],
            "deleted": [],
        }
        text = json.dumps(grid)
        submit(client, address(tea.product), changed(values, grid=text))
        answer = client.post(address(tea.product), changed(values, title="Assam", grid=text))
        assert errors(answer)[""] == [SAVED_BEFORE]
        again = client.post(address(tea.product), changed(filled_in(answer), grid=text))
        assert errors(again).keys() == {"grid"}
        assert ProductVariant.objects.count() == 2


class TestGridOfManyProducts:
    """Its ticket stands for the page."""

    def test_other_values_come_back_beside_the_stored_ones_and_are_saved_by_sending_them_again(self) -> None:
        tea, client = sold("Tea"), superuser()
        column, ticket = f"stock.{InventoryLevel.objects.get().location_id}", new_ulid()
        assert submit_grid(client, (tea, {column: ["5", "8"]}), ticket=ticket).status_code == 302
        answer = submit_grid(client, (tea, {column: ["5", "9"]}), ticket=ticket)
        assert answer.context["problems"] == [SAVED_BEFORE, "1 cell must be corrected. Nothing was saved."]
        assert faults(answer.context["page"]) == [(column, "8")]
        assert stocked(tea) == 8
        again = json.loads(answer.context["page"]["sent"])
        assert again["variants"][0]["cells"] == {column: ["8", "9"]}
        resent = client.post(GRID, {"grid": json.dumps(again), "ticket": answer.context["ticket"]})
        assert (resent.status_code, stocked(tea)) == (302, 9)

    def test_products_that_have_left_the_filtered_list_since_are_shown_too(self) -> None:
        tea, client = sold("Tea", units=1), superuser()
        column, ticket = f"stock.{InventoryLevel.objects.get().location_id}", new_ulid()
        address = f"{GRID}?stock=low"

        def post(entered: str) -> Any:
            return client.post(address, {"grid": grid(tea, stock=["1", entered]), "ticket": ticket})

        assert post("500").status_code == 302
        answer = post("600")
        assert [row["id"] for row in answer.context["page"]["variants"]] == [tea.pk]
        assert faults(answer.context["page"]) == [(column, "500")]

    def test_a_number_that_cannot_be_read_is_reported_before(self) -> None:
        tea, client = sold("Tea"), superuser()
        column, ticket = f"stock.{InventoryLevel.objects.get().location_id}", new_ulid()
        assert submit_grid(client, (tea, {column: ["5", "8"]}), ticket=ticket).status_code == 302
        answer = submit_grid(client, (tea, {column: ["5", "many"]}), ticket=ticket)
        assert answer.context["problems"] == ["1 cell must be corrected. Nothing was saved."]
        corrected = answer.context["ticket"]
        answer = submit_grid(client, (tea, {column: ["5", "9"]}), ticket=corrected)
        assert answer.context["problems"][0] == SAVED_BEFORE
        assert stocked(tea) == 8

    def test_a_page_that_was_refused_is_saved_once_it_is_corrected(self) -> None:
        tea, client = sold("Tea"), superuser()
        column = f"stock.{InventoryLevel.objects.get().location_id}"
        ticket = submit_grid(client, (tea, {column: ["5", "many"]}), ticket=new_ulid()).context["ticket"]
        assert submit_grid(client, (tea, {column: ["5", "9"]}), ticket=ticket).status_code == 302
        assert stocked(tea) == 9
