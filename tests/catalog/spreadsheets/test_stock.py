"""Stock in files of products: what was exported says what to book; without it the person chooses once."""

import pytest
from django.db import transaction

from catalog.models import InventoryLevel, StockMovement
from catalog.states import MovementReason
from catalog.stock.stock_changes import StockChange, change_stock
from catalog.stock.stock_movements import Move, record_movements
from kit.domain.actor import SYSTEM
from tests.catalog.spreadsheets.importing import applied, before, exported, lines, spreadsheet
from tests.factories.inventory import StockLocationFactory

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
    assert one.results.get().text == "Row 2: Only 2 are in stock, so 5 cannot be deducted."
    assert _stocked() == 2


def test_what_was_sold_meanwhile_stays_sold_when_the_change_is_taken_back() -> None:
    one = applied(lines(HEADER, "cup,Cup,C1,15"), stock="set")
    _sell(3)

    (row,) = spreadsheet(before(one))
    assert (row["Variant Stock Berlin"], row["Variant Stock Exported Berlin"]) == ("10", "15")
    applied(before(one))
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
