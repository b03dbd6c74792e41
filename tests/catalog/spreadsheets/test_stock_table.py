"""The spreadsheet of stock: differences are booked, stock is set where that is chosen, and all can be taken back."""

from typing import Any

import pytest

from catalog.models import InventoryLevel, StockMovement
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.spreadsheets.applying import apply, confirm
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, spreadsheet, undo_file
from tests.factories.inventory import InventoryItemFactory, InventoryLevelFactory, StockLocationFactory, count_stock
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
HEADER = "SKU,Location,Stock Exported,Stock"


@pytest.fixture
def level() -> InventoryLevel:
    """Five pieces of an item whose SKU looks like a number."""
    return InventoryLevelFactory(
        inventory_item__sku="00123", location=StockLocationFactory(name="=Depot"), stocked_quantity=5
    )


def stocked(level: InventoryLevel) -> int:
    return int(InventoryLevel.objects.values_list("stocked_quantity", flat=True).get(pk=level.pk))


def movements(level: InventoryLevel) -> list[tuple[Any, ...]]:
    rows = StockMovement.objects.filter(level=level).order_by("pk")
    return [*rows.values_list("reason", "stocked_before", "stocked_after")]


def test_the_export_has_each_level_and_comes_back_without_a_movement(level: InventoryLevel) -> None:
    text = exported("stock")

    assert text == lines(
        "Inventory Item Id,SKU,Location,Stock Exported,Stock", f"{level.inventory_item_id},00123,'=Depot,5,5"
    )
    count_stock(9)
    one = applied(text, spreadsheet="stock")
    assert (one.counts, one.done) == ({"unchanged": 1, "rows": 1}, {"unchanged": 1})
    assert stocked(level) == 9


def test_the_difference_is_booked_whatever_was_sold_meanwhile(level: InventoryLevel) -> None:
    one = previewed(lines(HEADER, "00123,'=Depot,5,7"), spreadsheet="stock")
    count_stock(3)
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"changed": 1}
    assert stocked(level) == 5
    assert movements(level)[-1] == ("adjustment", 3, 5)
    assert spreadsheet(undo_file(one)) == [
        {
            "Inventory Item Id": level.inventory_item_id,
            "SKU": "00123",
            "Location": "'=Depot",
            "Stock Exported": "5",
            "Stock": "3",
        }
    ]
    assert applied(undo_file(one), spreadsheet="stock").done == {"changed": 1}
    assert stocked(level) == 3


def test_without_the_exported_stock_one_chooses_whether_it_is_set(level: InventoryLevel) -> None:
    text = lines("Inventory Item Id,Stock", f"{level.inventory_item_id},8")

    one = previewed(text, spreadsheet="stock")
    assert one.problems == [
        [2, "Stock", "The stock differs from this number. Choose for the whole file whether to set it."]
    ]
    assert applied(text, spreadsheet="stock", stock="leave").done == {"unchanged": 1}
    assert stocked(level) == 5
    one = applied(text, spreadsheet="stock", stock="set")
    assert one.done == {"changed": 1}
    assert (stocked(level), movements(level)[-1]) == (8, ("set", 5, 8))
    applied(undo_file(one), spreadsheet="stock")
    assert stocked(level) == 5


def test_stock_that_moved_since_the_preview_is_not_set(level: InventoryLevel) -> None:
    one = previewed(lines("SKU,Stock", "00123,8"), spreadsheet="stock", stock="set")
    count_stock(4)
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"skipped": 1}
    assert stocked(level) == 4


def test_a_location_begins_to_stock_an_item(level: InventoryLevel) -> None:
    item = InventoryItemFactory(sku="NEW")

    one = applied(lines(HEADER, "NEW,=Depot,,4"), spreadsheet="stock")

    made = InventoryLevel.objects.get(inventory_item=item)
    assert (made.location_id, made.stocked_quantity) == (level.location_id, 4)
    assert [*one.results.values_list("action", "about", "label")] == [("new", made.pk, "NEW")]
    assert spreadsheet(undo_file(one)) == []


def test_problems_name_row_and_column(level: InventoryLevel) -> None:
    InventoryItemFactory(sku="NEW")
    item = level.inventory_item_id
    text = lines(
        f"Inventory Item Id,{HEADER}",
        ",NO,=Depot,,1",
        ",00123,Moon,,1",
        ",NEW,=Depot,3,4",
        ",00123,=Depot,9,3",
        f"{item},,=Depot,5,6",
        f",00123,{level.location_id},5,7",
        ",,=Depot,,1",
        ",NEW,=Depot,,x",
    )

    one = previewed(text, spreadsheet="stock", stock="set")

    assert one.counts == {"problem": 7, "changed": 1, "rows": 8}
    assert one.problems == [
        [2, "SKU", "No inventory item has this SKU."],
        [3, "Location", "No location is called 'Moon'."],
        [
            4,
            "Stock",
            (
                "This location does not stock the item yet. "
                "To add it, enter a quantity in Stock and leave Stock Exported empty."
            ),
        ],
        [5, "Stock", "Only 5 in stock, so 6 cannot be deducted."],
        [7, "", "Row 6 is about the same thing. Delete one of the two."],
        [8, "SKU", "Enter the SKU or id of the inventory item."],
        [9, "Stock", "'x' is not a whole number."],
        [9, "", "This row belongs with row 4. Move it directly below."],
    ]


def test_it_needs_the_permissions_of_stock(level: InventoryLevel) -> None:
    InventoryItemFactory(sku="NEW")
    text = lines("SKU,Stock", "00123,8", "NEW,4")
    with pytest.raises(Forbidden):
        previewed(text, spreadsheet="stock", actor=staff_actor(UserFactory(permissions=["catalog.add_inventorylevel"])))
    may = staff_actor(UserFactory(permissions=["catalog.change_inventorylevel"]))

    one = applied(text, spreadsheet="stock", actor=may, stock="set")

    assert one.done == {"changed": 1, "problem": 1}
    assert one.results.get(label="NEW").text == "The permission 'catalog.add_inventorylevel' is required"
    assert StockMovement.objects.latest("pk").created_by == may.id
