"""Stock in files of products: what was exported says what to book; without it the person chooses once."""

from typing import Any

import pytest
from django.db import transaction

from catalog.models import InventoryLevel, StockMovement, VariantInventoryItem
from catalog.states import MovementReason
from catalog.stock.stock_changes import StockChange, change_stock
from catalog.stock.stock_movements import Move, record_movements
from kit.domain.actor import SYSTEM
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.models import Import
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, spreadsheet, undo_file
from tests.factories.inventory import StockLocationFactory
from tests.factories.products import VariantFactory

pytestmark = pytest.mark.django_db
HEADER = "Product Handle,Product Title,Variant SKU,Variant Stock Berlin"
EXPORTED = f"{HEADER},Variant Stock Exported Berlin"


@pytest.fixture(autouse=True)
def cup() -> None:
    StockLocationFactory.create(name="Berlin")
    applied(lines(HEADER, "cup,Cup,C1,10"))


def _stocked() -> int:
    return InventoryLevel.objects.get().stocked_quantity


def _sell(pieces: int) -> None:
    level = InventoryLevel.objects.get()
    change_stock(actor=SYSTEM, changes=[StockChange(level.inventory_item_id, level.location_id, adjust_by=-pieces)])


def test_a_new_variant_has_the_stock_of_the_file() -> None:
    assert _stocked() == 10


def test_the_difference_from_what_was_exported_is_booked() -> None:
    _sell(3)

    one = applied(lines(EXPORTED, "cup,Cup,C1,15,10"))

    assert one.done == {"changed": 1}
    assert _stocked() == 12
    moved = StockMovement.objects.latest("pk")
    assert (moved.reason, moved.stocked_before, moved.stocked_after) == ("adjustment", 7, 12)


def test_stock_that_is_as_exported_is_left_alone() -> None:
    _sell(3)

    assert applied(lines(EXPORTED, "cup,Cup,C1,10,10"), stock="set").done == {"unchanged": 1}
    assert _stocked() == 7


def test_without_it_stock_is_left_alone_unless_it_is_to_be_set() -> None:
    _sell(3)

    assert applied(lines(HEADER, "cup,Cup,C1,15")).done == {"unchanged": 1}
    assert _stocked() == 7
    assert applied(lines(HEADER, "cup,Cup,C1,15"), stock="set").done == {"changed": 1}
    assert _stocked() == 15


def test_more_than_there_is_cannot_be_taken_away() -> None:
    _sell(8)

    one = applied(lines(EXPORTED, "cup,Cup,C1,5,10"))

    assert one.done == {"problem": 1}
    assert one.results.get().text == "Row 2: Only 2 in stock, so 5 cannot be deducted."
    assert _stocked() == 2


def test_what_was_sold_meanwhile_stays_sold_when_the_change_is_undo_rows() -> None:
    one = applied(lines(HEADER, "cup,Cup,C1,15"), stock="set")
    _sell(3)

    (row,) = spreadsheet(undo_file(one))
    assert (row["Variant Stock Berlin"], row["Variant Stock Exported Berlin"]) == ("10", "15")
    applied(undo_file(one))
    assert _stocked() == 7


def test_stock_below_zero_comes_back_as_it_is() -> None:
    with transaction.atomic():
        record_movements(
            [Move(InventoryLevel.objects.get(), -3, backordered=3)], actor=SYSTEM, reason=MovementReason.FULFILLMENT
        )

    (row,) = spreadsheet(exported())
    assert (row["Variant Stock Berlin"], row["Variant Stock Exported Berlin"]) == ("-3", "-3")
    assert applied(exported(), stock="set").done == {"unchanged": 1}
    assert _stocked() == -3


def _confirmed(text: str, **options: str) -> Import:
    one = previewed(text, **options)
    confirm(one)
    return one


def test_stock_that_moved_since_the_preview_is_not_set() -> None:
    one = _confirmed(lines(HEADER, "cup,Cup,C1,10"), stock="set")
    _sell(3)

    apply(one, actor=SYSTEM)

    assert one.done == {"skipped": 1}
    assert _stocked() == 7


def test_a_difference_is_booked_whatever_moved_since_the_preview() -> None:
    one = _confirmed(lines(EXPORTED, "cup,Cup,C1,15,10"), stock="set")
    _sell(3)

    apply(one, actor=SYSTEM)

    assert one.done == {"changed": 1}
    assert _stocked() == 12


def test_stock_that_moves_while_the_product_is_written_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    one = _confirmed(lines(HEADER, "cup,Cup,C1,12"), stock="set")

    def sold_meanwhile(*args: Any) -> None:
        _sell(3)

    monkeypatch.setattr("catalog.spreadsheets.product_writing.put_sale", sold_meanwhile)
    apply(one, actor=SYSTEM)

    assert one.done == {"problem": 1}
    assert one.results.get().text == (
        "Its stock has changed since the preview. Upload the file again to see the difference."
    )


@pytest.mark.parametrize("options", [{"stock": "set"}, {}])
def test_stock_of_an_item_of_two_variants_is_not_changed(options: dict[str, str]) -> None:
    item = InventoryLevel.objects.get().inventory_item
    other = VariantFactory.create(sku="M1", product__handle="mug", product__title="Mug")
    VariantInventoryItem.objects.create(variant=other, inventory_item=item)

    assert applied(exported(), **options).done == {"unchanged": 2}
    one = applied(lines(EXPORTED, "cup,Cup,C1,12,10", "mug,Mug,M1,12,10"), **options)

    assert one.done == {"problem": 2}
    refused = "This variant has no single inventory item. Change its stock on its page."
    assert [result.text for result in one.results.all()] == [f"Row 2: {refused}", f"Row 3: {refused}"]
    assert _stocked() == 10
