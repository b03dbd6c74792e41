"""Two people import files with the same products at once, beside shoppers who buy them."""

from collections import Counter
from pathlib import Path

import pytest
from pytest_django import Settings

from carts.models import Cart
from catalog.models import InventoryLevel, Product, StockMovement
from kit.domain.actor import SYSTEM
from kit.spreadsheets import applying
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.models import Import
from orders.models import Order
from tests.catalog.spreadsheets.importing import exported, previewed, spreadsheet
from tests.concurrency.crowd import at_once
from tests.concurrency.test_completions import outcome
from tests.factories.checkout import ready_cart, stocked

pytestmark = pytest.mark.django_db(transaction=True)

GOODS, BUYERS = 12, 4


@pytest.fixture(autouse=True)
def _many_transactions(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    monkeypatch.setattr(applying, "_LEAST", 2)
    monkeypatch.setattr(applying, "_MOST", 8)


def test_two_imports_beside_buyers() -> None:
    variants = [stocked(10) for _ in range(GOODS)]
    carts = [[ready_cart(variants[(buyer * 3 + turn) % GOODS]) for turn in range(3)] for buyer in range(BUYERS)]
    rows = spreadsheet(exported())
    raised = [{name: _raised(name, cell) for name, cell in row.items()} for row in rows]
    renamed = [{**row, "Product Title": f"New {row['Product Title']}"} for row in reversed(rows)]
    imports = [previewed(_file(raised)), previewed(_file(renamed))]
    bought = _applied_beside(imports, carts)

    assert len(bought) == Order.objects.count() == 3 * BUYERS
    for one in imports:
        assert sum(one.done.values()) == GOODS
        assert {*one.done} <= {"changed", "skipped"}
    booked = {*imports[0].results.filter(action="changed").values_list("about", flat=True)}
    for level in InventoryLevel.objects.select_related("inventory_item"):
        product = level.inventory_item.variants.get().product
        assert level.stocked_quantity == (15 if product.pk in booked else 10)
        assert product.title.startswith("New ") == (product.pk in _changed(imports[1]))
    assert sum(InventoryLevel.objects.values_list("reserved_quantity", flat=True)) == 3 * BUYERS
    assert imports[0].done.get("changed", 0) + imports[1].done.get("changed", 0) >= GOODS
    assert Product.objects.count() == GOODS


def test_two_bookings_of_stock_beside_buyers_of_the_last_pieces() -> None:
    goods, wanting = 6, 5
    variants = [stocked(2) for _ in range(goods)]
    carts = [[ready_cart(variant) for variant in variants] for _ in range(wanting)]
    rows = spreadsheet(exported("stock"))
    files = [[{**row, "Stock": str(2 + more)} for row in order] for more, order in ((1, rows), (2, rows[::-1]))]
    imports = [previewed(_file(each), spreadsheet="stock") for each in files]
    outcomes = _applied_beside(imports, carts)

    assert [one.done for one in imports] == [{"changed": goods}] * 2
    levels = [*InventoryLevel.objects.all()]
    assert [level.stocked_quantity for level in levels] == [5] * goods
    assert StockMovement.objects.filter(level__in=levels, reason="adjustment").count() == 2 * goods
    assert all(2 <= level.reserved_quantity <= wanting for level in levels)
    sold = sum(level.reserved_quantity for level in levels)
    assert Order.objects.count() == sold
    assert outcomes["LinesOutOfStock"] == wanting * goods - sold


def _applied_beside(imports: list[Import], carts: list[list[Cart]]) -> Counter[str]:
    """Apply all imports while each buyer completes carts one after another. Returns how many had which outcome."""
    for one in imports:
        confirm(one)

    def work(thread: int) -> list[str]:
        if thread < len(imports):
            apply(imports[thread], actor=SYSTEM)
            return []
        return [outcome(cart) for cart in carts[thread - len(imports)]]

    threads = len(imports) + len(carts)
    return Counter(result for results in at_once(work, threads=threads) for result in results)


def _raised(name: str, cell: str) -> str:
    return "15" if cell and name.startswith("Variant Stock ") and "Exported" not in name else cell


def _changed(one: Import) -> set[str]:
    return {*one.results.filter(action="changed").values_list("about", flat=True)}


def _file(rows: list[dict[str, str]]) -> str:
    quoted = [",".join(f'"{cell}"' for cell in row.values()) for row in rows]
    return "\r\n".join([",".join(rows[0]), *quoted])
