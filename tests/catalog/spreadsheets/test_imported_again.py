"""The same file once more: what was left out is written, and no difference is booked twice."""

import pytest

from catalog.models import InventoryLevel, Product
from kit.domain.actor import SYSTEM
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.models import Import
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import change
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, undo_file, uploaded
from tests.catalog.spreadsheets.pictured import images
from tests.factories.inventory import InventoryLevelFactory, StockLocationFactory
from tests.pictures.files import picture
from tests.pictures.host import Host

pytestmark = pytest.mark.django_db
WRITTEN = "An import of this file has written this row already. To book its stock again, change the file."
HEADER = "SKU,Stock Exported,Stock"


@pytest.fixture
def levels() -> None:
    """Ten pieces each of A and B."""
    depot = StockLocationFactory(name="Depot")
    for sku in "AB":
        InventoryLevelFactory(inventory_item__sku=sku, location=depot, stocked_quantity=10)


def _stocked() -> dict[str, int]:
    return dict(InventoryLevel.objects.values_list("inventory_item__sku", "stocked_quantity"))


def _applied_now(one: Import) -> None:
    preview(one, actor=SYSTEM)
    confirm(one)
    apply(one, actor=SYSTEM)


def test_a_product_whose_picture_was_mended_is_written_and_the_other_is_not_booked_twice(host: Host) -> None:
    StockLocationFactory(name="Berlin")
    applied(lines("Handle,Title,Variant SKU,Variant Stock Berlin", "a,A,A,5", "b,B,B,5"))
    stock = "Variant SKU,Variant Stock Exported Berlin,Variant Stock Berlin"
    file = lines(f"Handle,{stock},Product Image 1 Url", "a,A,5,7,", f"b,B,5,5,{host.address('/b.png')}")
    assert applied(file, pictures="fetch").done == {"changed": 1, "problem": 1}
    host.answers["/b.png"] = picture()

    one = applied(file, pictures="fetch")

    assert one.problems == [[2, "", WRITTEN]]
    assert one.done == {"changed": 1, "problem": 1}
    assert [*images()] == ["b"]
    assert _stocked() == {"A": 7, "B": 5}


@pytest.mark.usefixtures("levels")
def test_rows_that_were_refused_are_written_and_others_are_not_booked_twice() -> None:
    file = lines(HEADER, "A,10,7", "B,20,5")
    assert applied(file, spreadsheet="stock").done == {"changed": 1, "problem": 1}
    applied(lines(HEADER, "B,0,10"), spreadsheet="stock")

    one = applied(file, spreadsheet="stock")

    assert one.done == {"changed": 1, "problem": 1}
    assert one.results.get(action="problem").text == f"Row 2: {WRITTEN}"
    assert _stocked() == {"A": 7, "B": 5}
    assert applied(file, spreadsheet="stock").done == {"problem": 2}


@pytest.mark.usefixtures("levels")
def test_a_written_row_stays_the_first_about_its_item_though_it_could_not_be_booked_now() -> None:
    item = InventoryLevel.objects.get(inventory_item__sku="A").inventory_item_id
    file = lines(f"Inventory Item Id,{HEADER}", ",A,10,2", f"{item},,10,9")
    assert applied(file, spreadsheet="stock").done == {"changed": 1, "problem": 1}

    one = applied(file, spreadsheet="stock")

    assert one.problems == [[2, "", WRITTEN], [3, "", "Row 2 is about the same thing. Delete one of the two."]]
    assert _stocked()["A"] == 2


@pytest.mark.usefixtures("levels")
def test_an_undo_file_is_booked_once_and_a_changed_file_again() -> None:
    undo = undo_file(applied(lines(HEADER, "A,10,7"), spreadsheet="stock"))

    assert [applied(undo, spreadsheet="stock").done for _ in range(2)] == [{"changed": 1}, {"problem": 1}]
    assert _stocked() == {"A": 10, "B": 10}
    assert applied(lines(HEADER, "A,10,7", ""), spreadsheet="stock").done["changed"] == 1
    assert _stocked()["A"] == 7


@pytest.mark.usefixtures("levels")
def test_two_imports_of_a_file_that_were_previewed_together_book_it_once() -> None:
    both = [previewed(lines(HEADER, "A,10,7"), spreadsheet="stock") for _ in range(2)]
    for one in both:
        confirm(one)
        apply(one, actor=SYSTEM)

    assert [one.done for one in both] == [{"changed": 1}, {"problem": 1}]
    assert _stocked()["A"] == 7


@pytest.mark.usefixtures("levels")
def test_rows_that_change_nothing_and_files_that_book_nothing_are_imported_as_ever() -> None:
    assert applied(exported("stock"), spreadsheet="stock").done == {"unchanged": 2}
    assert applied(exported("stock"), spreadsheet="stock").done == {"unchanged": 2}
    for quantity in (7, 10):
        file = lines("SKU,Stock", "A,7", f"B,{quantity}")
        for _ in range(2):
            assert "problem" not in applied(file, spreadsheet="stock", stock="set").done


def test_an_import_without_the_stock_is_none_of_the_stock() -> None:
    StockLocationFactory(name="Berlin")
    applied(lines("Handle,Title,Variant SKU,Variant Stock Berlin", "a,A,A,5"))
    file = lines("Handle,Title,Variant SKU,Variant Stock Exported Berlin,Variant Stock Berlin", "a,New,A,5,7")
    one = uploaded(file)
    whole = one.mapping
    change(one, actor=SYSTEM, mapping=[*whole[:3], "", ""])
    _applied_now(one)
    assert (Product.objects.get().title, _stocked()) == ("New", {"A": 5})

    one = uploaded(file)
    change(one, actor=SYSTEM, mapping=whole)
    _applied_now(one)
    assert (one.done, _stocked()) == ({"changed": 1}, {"A": 7})
