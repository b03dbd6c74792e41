"""`manage.py import_spreadsheet` and `export_spreadsheet`: any spreadsheet, by its name."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, ManagementUtility, call_command

from kit.errors import Conflict
from kit.spreadsheets import applying
from tests.catalog.spreadsheets.importing import lines, spreadsheet
from tests.factories.inventory import InventoryLevelFactory, StockLocationFactory
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def private_files(settings, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")


def said(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_an_exported_file_imports_unchanged(tmp_path: Path) -> None:
    level = InventoryLevelFactory(inventory_item__sku="A", location__name="Depot", stocked_quantity=5)
    file, undo = str(tmp_path / "stock.csv"), str(tmp_path / "undo.csv")

    assert said("export_spreadsheet", "stock", file) == "1 row written\n"
    assert said("import_spreadsheet", "stock", file) == "1 unchanged\n"

    Path(file).write_text(lines("SKU,Stock", "A,8"))
    out = said("import_spreadsheet", "stock", file, "--apply", "--stock", "set", "--undo", undo)
    assert out == "1 changed\nApplied: 1 changed\n"
    level.refresh_from_db()
    assert level.stocked_quantity == 8
    said("import_spreadsheet", "stock", undo, "--apply")
    level.refresh_from_db()
    assert level.stocked_quantity == 5


@pytest.mark.parametrize(("end", "seen"), [(KeyboardInterrupt(), SystemExit), (Conflict("Held"), CommandError)])
def test_an_import_that_ends_early_leaves_an_undo_file_of_what_it_has_written(
    end: BaseException, seen: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "_MOST", 1)
    monkeypatch.setattr(applying, "_LEAST", 1)
    depot = StockLocationFactory(name="Depot")
    for sku in "AB":
        InventoryLevelFactory(inventory_item__sku=sku, location=depot, stocked_quantity=5)
    file, undo = tmp_path / "stock.csv", tmp_path / "undo.csv"
    file.write_text(lines("SKU,Stock Exported,Stock", "A,5,8", "B,5,9"))

    def stop(*_: int) -> None:
        raise end

    command = "commerce.operations.management.commands.import_spreadsheet.apply"
    monkeypatch.setattr(command, lambda one, actor: applying.apply(one, actor=actor, report=stop))
    with pytest.raises(seen):
        said("import_spreadsheet", "stock", str(file), "--apply", "--undo", str(undo))

    assert [(row["SKU"], row["Stock Exported"], row["Stock"]) for row in spreadsheet(undo.read_text("utf-8-sig"))] == [
        ("A", "8", "5")
    ]


def test_unknown_spreadsheets_and_options_of_others_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "customers.csv"
    file.write_text(lines("Email", "ann@example.com"))
    with pytest.raises(CommandError, match="invalid choice: 'sheep'"):
        said("import_spreadsheet", "sheep", str(file))
    with pytest.raises(CommandError, match="Field 'options': 'stock' is not known"):
        said("import_spreadsheet", "customers", str(file), "--stock", "set")


def test_the_help_says_what_options_mean(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ManagementUtility(["manage.py", "import_spreadsheet", "--help"]).execute()
    words = " ".join(capsys.readouterr().out.split())
    assert "--stock {leave,set} What to do with stock in files without Stock Exported. `leave`: Leave" in words
    assert "--promotion-id PROMOTION_ID The promotion of codes for which the file names none." in words


def test_columns_that_are_only_checked_are_named_with_unknown_ones(tmp_path: Path) -> None:
    RegionFactory()
    file = tmp_path / "cards.csv"
    file.write_text(lines("Status,Value,Currency,Color", "pending,10,usd,red"))
    out = said("import_spreadsheet", "gift_cards", str(file))
    assert out == "Columns that will not be imported: Status, Color.\n1 new\n"


def test_a_column_is_mapped_by_its_header(tmp_path: Path) -> None:
    file = tmp_path / "stock.csv"
    InventoryLevelFactory(inventory_item__sku="A=1", stocked_quantity=5)
    file.write_text(lines("Nr=,Anzahl", "A=1,5"))
    out = said("import_spreadsheet", "stock", str(file), "--map", "Nr==sku", "--map", "Anzahl=stock")
    assert out == "1 unchanged\n"
    for given in ("Nr=sku", "Anzahl"):
        with pytest.raises(CommandError, match="--map: the file has no column"):
            said("import_spreadsheet", "stock", str(file), "--map", given)
