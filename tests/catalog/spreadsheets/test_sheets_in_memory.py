"""A sheet of the most rows is previewed and written in at most 150 MB; a sample has a fifth of the rows."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from openpyxl.xml.constants import SHARED_STRINGS

from kit.spreadsheets.formats.sheets import MOST_ROWS
from tests.catalog.spreadsheets.generated import HEADERS, rows_of
from tests.factories.catalog import CategoryFactory
from tests.factories.inventory import StockLocationFactory
from tests.kit.spreadsheets.formats.test_sheets import MAIN, SHEET, book, with_parts
from tests.packages import ROOT
from tests.plugins import samples

pytestmark = [pytest.mark.once, pytest.mark.django_db(transaction=True)]
STRINGS, KINDS = "xl/sharedStrings.xml", "[Content_Types].xml"
ROWS, MOST_MB = (MOST_ROWS, 150) if samples.number() is None else (MOST_ROWS // 5, 60)


def _shared(path: Path) -> None:
    """A sheet as Excel writes it: each text stands once in a part of its own, which is read into memory."""
    places: dict[str, int] = {}
    rows = [
        "".join(f'<c t="s"><v>{places.setdefault(str(cell), len(places))}</v></c>' for cell in row)
        for row in (HEADERS, *rows_of(ROWS))
    ]
    strings = "".join(f"<si><t>{text.replace('<', '&lt;')}</t></si>" for text in places)
    sheet = "".join(f"<row>{row}</row>" for row in rows)
    empty = book()
    kinds = ZipFile(empty).read(KINDS).decode()
    parts = {
        SHEET: f'<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>',
        STRINGS: f'<sst xmlns="{MAIN}">{strings}</sst>',
        KINDS: kinds.replace("</Types>", f'<Override PartName="/{STRINGS}" ContentType="{SHARED_STRINGS}"/></Types>'),
    }
    path.write_bytes(with_parts(empty, {name: part.encode() for name, part in parts.items()}).getvalue())


def _taken(environment: dict[str, str], *words: object) -> tuple[int, int]:
    command = [sys.executable, "-m", "tests.catalog.spreadsheets.sheets_in_memory", *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, taken = map(int, done.stdout.split())
    return count, taken


def test_a_preview(process_environment: dict[str, str], tmp_path: Path) -> None:
    StockLocationFactory.create(name="Berlin")
    for one in range(40):
        CategoryFactory.create(handle=f"category-{one}")
    _shared(tmp_path / "shared.xlsx")

    count, taken = _taken({**process_environment, "EXPORT_DIR": str(tmp_path)}, "preview", tmp_path / "shared.xlsx")

    assert count == ROWS
    assert taken <= MOST_MB


def test_an_export(process_environment: dict[str, str]) -> None:
    count, taken = _taken(process_environment, "export", ROWS)

    assert count == ROWS
    assert taken <= MOST_MB
