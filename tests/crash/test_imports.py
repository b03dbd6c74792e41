"""The bulk worker is killed while it applies an import: each row is written once, and all can be taken back."""

from pathlib import Path

import pytest
from pytest_django import Settings

from catalog.models import InventoryLevel, Product, StockMovement
from giftcards.models import GiftCard
from kit.spreadsheets.models import Import
from tests.catalog.spreadsheets.importing import applied, exported, lines, undo_file
from tests.crash.interrupted_imports import killed_and_continued
from tests.factories.inventory import InventoryLevelFactory, StockLocationFactory
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db(transaction=True)

OLD, NUMBER = 60, 120
HEADER = "Product Handle,Product Title,Variant SKU,Variant Price EUR,Variant Stock Berlin,Variant Stock Exported Berlin"


@pytest.fixture
def environment(process_environment: dict[str, str], settings: Settings, tmp_path: Path) -> dict[str, str]:
    """That of workers, which find this test's files."""
    settings.EXPORT_DIR = str(tmp_path / "exports")
    return {**process_environment, "EXPORT_DIR": settings.EXPORT_DIR}


def _rows(number: int, title: str, stock: int) -> list[str]:
    return [f"thing-{one},{title} {one},T{one},{one}.50,{stock},{10 if one < OLD else 0}" for one in range(number)]


def _rows_of_results(one: Import) -> list[int]:
    return [*one.results.order_by("row").values_list("row", flat=True)]


def test_products(environment: dict[str, str]) -> None:
    StockLocationFactory.create(name="Berlin")
    applied(lines(HEADER, *_rows(OLD, "Thing", 10)))
    first = exported()

    one, job = killed_and_continued(lines(HEADER, *_rows(NUMBER, "Object", 15)), environment)

    assert job.message == "60 new, 60 changed"
    assert one.done == {"changed": OLD, "new": NUMBER - OLD}
    assert Product.objects.filter(title__startswith="Object").count() == NUMBER
    assert {*InventoryLevel.objects.values_list("stocked_quantity", flat=True)} == {15}
    assert StockMovement.objects.count() == OLD + NUMBER
    assert _rows_of_results(one) == [*range(2, NUMBER + 2)]
    Product.objects.filter(pk__in=one.results.filter(action="new").values("about")).delete()
    assert applied(undo_file(one)).done == {"changed": OLD}
    assert exported() == first


def test_differences_of_stock(environment: dict[str, str]) -> None:
    location = StockLocationFactory.create(name="Berlin")
    for number in range(OLD):
        InventoryLevelFactory.create(inventory_item__sku=f"T{number}", location=location, stocked_quantity=number)
    first, movements = exported("stock"), StockMovement.objects.count()
    rows = [f"T{number},Berlin,10,13" for number in range(OLD)]

    one, _ = killed_and_continued(lines("SKU,Location,Stock Exported,Stock", *rows), environment, spreadsheet="stock")

    assert one.done == {"changed": OLD}
    stocked = InventoryLevel.objects.values_list("inventory_item__sku", "stocked_quantity")
    assert dict(stocked) == {f"T{number}": number + 3 for number in range(OLD)}
    assert StockMovement.objects.count() == movements + OLD
    assert _rows_of_results(one) == [*range(2, OLD + 2)]
    assert applied(undo_file(one), spreadsheet="stock").done == {"changed": OLD}
    assert exported("stock") == first


def test_gift_cards(environment: dict[str, str]) -> None:
    RegionFactory()

    one, _ = killed_and_continued(
        lines("Value,Currency", *(f"{number},usd" for number in range(1, OLD + 1))),
        environment,
        spreadsheet="gift_cards",
    )

    assert one.done == {"new": OLD}
    assert sorted(GiftCard.objects.values_list("value", flat=True)) == [*range(1, OLD + 1)]
    assert _rows_of_results(one) == [*range(2, OLD + 2)]
    assert {*one.results.values_list("about", flat=True)} == {*GiftCard.objects.values_list("pk", flat=True)}
