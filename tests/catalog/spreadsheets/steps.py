"""What `python -m tests.catalog.spreadsheets` measures, one step after the other."""

import csv
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from django.apps import apps
from django.core.management import call_command
from django.db import connection

from catalog.models import Product
from kit.domain.actor import SYSTEM
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.exports import export
from kit.spreadsheets.formats.sheets import MOST_ROWS
from kit.spreadsheets.models import Import
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import upload
from tests.catalog.spreadsheets import generated
from tests.factories.catalog import CategoryFactory
from tests.factories.inventory import StockLocationFactory

Measure = Callable[[str, Callable[[], object]], None]


def all_of_them(directory: Path, rows: int, measured: Measure) -> None:
    """directory: for files. measured: does a step in another process."""
    new, changed = directory / "new-products.csv", directory / "changed-products.csv"
    measured("a new shop", partial(_new_shop, new, changed, rows))

    def imported(name: str, path: Path, spreadsheet: str = "products") -> None:
        measured(f"{name}: preview", partial(_preview, path, spreadsheet))
        _analyze()
        measured(f"{name}: apply", _apply)

    imported("new products", new)
    _analyze()
    for kind, most in (("csv", None), ("xlsx", MOST_ROWS)):
        first, second = (directory / f"{place}.{kind}" for place in ("first", "second"))
        measured(f"{kind}: export", partial(_export, first, most=most))
        before = _tables()
        imported(f"{kind}: the same products", first)
        if (after := _tables()) != before:
            raise SystemExit(f"changed: {[name for name in after if after[name] != before[name]]}")
        measured(f"{kind}: second export", partial(_export, second, most=most))
        if _content(first) != _content(second):
            raise SystemExit("The second export differs from the first one.")
    imported("changed products", changed)
    for spreadsheet, header, by in (("prices", "Price EUR", 1), ("stock", "Stock", 2)):
        path = directory / f"{spreadsheet}.csv"
        measured(f"{spreadsheet}: export", partial(_export, path, spreadsheet))
        imported(f"changed {spreadsheet}", _raised(path, header, by), spreadsheet)


def _new_shop(new: Path, changed: Path, rows: int) -> object:
    call_command("migrate", verbosity=0)
    StockLocationFactory.create(name=generated.LOCATION)
    for one in range(generated.CATEGORIES):
        CategoryFactory.create(handle=f"category-{one}", name=f"Category {one}")
    generated.write(new, rows)
    generated.write(changed, rows, is_changed=True)
    return f"{new.stat().st_size} bytes"


def _preview(path: Path, spreadsheet: str) -> object:
    with path.open("rb") as file:
        one = upload(actor=SYSTEM, spreadsheet=spreadsheet, file=file, name=path.name, options={})
    preview(one, actor=SYSTEM)
    if one.problems or "" in one.mapping:
        raise SystemExit(f"{one.problems[:3]} {one.mapping}")
    return one.counts


def _apply() -> object:
    one = Import.objects.latest("created_at")
    confirm(one)
    apply(one, actor=SYSTEM)
    return one.done


def _export(path: Path, spreadsheet: str = "products", most: int | None = None) -> object:
    keys = None if most is None else {*Product.objects.order_by("pk").values_list("pk", flat=True)[:most]}
    with path.open("wb") as file:
        number = export(file, path.suffix[1:], spreadsheet=SPREADSHEETS.get()[spreadsheet], actor=SYSTEM, keys=keys)
    return f"{number} rows, {path.stat().st_size} bytes"


def _raised(path: Path, header: str, by: int) -> Path:
    """A copy of the file with other numbers in this column."""
    raised = path.with_name(f"raised-{path.name}")
    with path.open(newline="", encoding="utf-8-sig") as file, raised.open("w", newline="") as copy:
        rows = csv.DictReader(file)
        writer = csv.DictWriter(copy, rows.fieldnames or ())
        writer.writeheader()
        writer.writerows({**row, header: f"{float(row[header]) + by:g}"} for row in rows)
    return raised


def _analyze() -> None:
    """As autovacuum does after a while: it may not have come yet."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    connection.close()


def _tables() -> dict[str, str]:
    """Number and digest of the rows of each table, but of those of imports."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            if not table.startswith("spreadsheets_"):
                cursor.execute(
                    f"SELECT md5(string_agg(one, '' ORDER BY one)) FROM (SELECT t::text one FROM {table} t) t"
                )
                found[table] = str(cursor.fetchone())
    connection.close()
    return found


def _content(path: Path) -> str:
    """A digest of the file; of XLSX, of its sheet, since the file has the time at which it was made."""
    content = path.read_bytes() if path.suffix == ".csv" else ZipFile(path).read("xl/worksheets/sheet1.xml")
    return sha256(content).hexdigest()
