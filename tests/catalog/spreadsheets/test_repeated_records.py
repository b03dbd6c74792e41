"""What a file has twice, under two names, is booked once: however far apart, and in whatever batches it is applied."""

import pytest

from catalog.models import InventoryLevel
from catalog.stock.stock_changes import StockChange, change_stock
from kit.domain.actor import SYSTEM
from kit.spreadsheets import applying, previews
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import Importer
from tests.catalog.spreadsheets.importing import applied, lines, previewed
from tests.factories.inventory import InventoryLevelFactory, StockLocationFactory

pytestmark = pytest.mark.django_db
REPEATED = "Row {}: Row {} is about the same thing. Delete one of the two."


@pytest.fixture
def levels() -> list[InventoryLevel]:
    """Ten pieces each of A, B, C and D."""
    depot = StockLocationFactory(name="Depot")
    return [InventoryLevelFactory(inventory_item__sku=sku, location=depot, stocked_quantity=10) for sku in "ABCD"]


def _stocked() -> dict[str, int]:
    return dict(InventoryLevel.objects.values_list("inventory_item__sku", "stocked_quantity"))


def _stock_file(levels: list[InventoryLevel]) -> str:
    """A in the rows 2 and 6: by its SKU, and by its id."""
    rows = [f",{sku},10,{10 - place}" for place, sku in enumerate("ABCD")]
    rows[0] = ",A,10,5"
    return lines("Inventory Item Id,SKU,Stock Exported,Stock", *rows, f"{levels[0].inventory_item_id},,10,5")


def _records_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "_MOST", 1)
    monkeypatch.setattr(applying, "_LEAST", 1)


def test_it_is_booked_once_in_other_batches_than_those_of_the_preview(
    levels: list[InventoryLevel], monkeypatch: pytest.MonkeyPatch
) -> None:
    _records_one_by_one(monkeypatch)
    one = applied(_stock_file(levels), spreadsheet="stock")

    assert (one.counts, one.done) == ({"changed": 4, "problem": 1, "rows": 5}, {"changed": 4, "problem": 1})
    assert _stocked() == {"A": 5, "B": 9, "C": 8, "D": 7}
    refused = one.results.get(action="problem")
    assert (refused.row, refused.about, refused.label) == (6, levels[0].pk, "A")
    assert refused.text == REPEATED.format(6, 2)


def test_it_is_booked_once_though_every_batch_has_a_new_importer(
    levels: list[InventoryLevel], monkeypatch: pytest.MonkeyPatch
) -> None:
    _records_one_by_one(monkeypatch)
    one = previewed(_stock_file(levels), spreadsheet="stock")
    confirm(one)
    monkeypatch.setattr(Importer, "claimed", property(lambda self: {}, lambda self, given: None), raising=False)
    apply(one, actor=SYSTEM)

    assert one.done == {"changed": 4, "problem": 1}
    assert _stocked()["A"] == 5


def test_the_preview_sees_it_however_far_apart(levels: list[InventoryLevel], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "BATCH", 2)
    one = previewed(_stock_file(levels), spreadsheet="stock")

    assert one.counts == {"changed": 4, "problem": 1, "rows": 5}
    assert one.problems == [[6, "", "Row 2 is about the same thing. Delete one of the two."]]


def test_a_product_by_its_handle_and_by_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "BATCH", 1)
    _records_one_by_one(monkeypatch)
    StockLocationFactory(name="Berlin")
    made = applied(lines("Product Handle,Product Title,Variant SKU,Variant Stock Berlin", "cup,Cup,C1,10"))
    header = "Product Id,Product Handle,Variant SKU,Variant Stock Exported Berlin,Variant Stock Berlin"

    one = applied(lines(header, ",cup,C1,10,7", f"{made.results.get().about},,C1,10,7"))

    assert one.done == {"changed": 1, "problem": 1}
    assert one.results.get(action="problem").text == REPEATED.format(3, 2)
    assert _stocked() == {"C1": 7}


def test_what_the_preview_refused_is_left_though_its_problem_is_gone(levels: list[InventoryLevel]) -> None:
    one = previewed(lines("SKU,Stock Exported,Stock", "A,20,5", "B,10,9"), spreadsheet="stock")
    confirm(one)
    level = levels[0]
    change_stock(actor=SYSTEM, changes=[StockChange(level.inventory_item_id, level.location_id, stocked_quantity=30)])
    apply(one, actor=SYSTEM)

    assert one.done == {"changed": 1, "problem": 1}
    assert one.results.get(action="problem").text == "Row 2, Stock: Only 10 in stock, so 15 cannot be deducted."
    assert _stocked() == {"A": 30, "B": 9, "C": 10, "D": 10}
