"""`python -m tests.catalog.spreadsheets.sheets_in_memory preview FILE`, or `export ROWS`: prints how many MB it takes.

On top of what the process has before, with all apps. The export's rows are not stored: it is about the sheet.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile

import django

django.setup()

from catalog.spreadsheets.products import PRODUCTS, ProductSpreadsheet
from kit.domain.actor import SYSTEM, Actor
from kit.spreadsheets.declarations import Options, Values
from kit.spreadsheets.exports import export
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import upload
from tests.catalog.spreadsheets.generated import HEADERS, rows_of
from tests.catalog.spreadsheets.memory import peak


def _preview(path: str) -> int:
    with Path(path).open("rb") as file:
        one = upload(actor=SYSTEM, spreadsheet="products", file=file, name="a.xlsx")
    preview(one, actor=SYSTEM)
    return int(one.counts["new"])


def _export(number: str) -> int:
    fields = [*map(PRODUCTS.columns.recognised, HEADERS)]

    class Generated(ProductSpreadsheet):
        def rows(self, actor: Actor, options: Options) -> Iterator[Sequence[Values]]:
            return ([dict(zip(fields, row, strict=True))] for row in rows_of(int(number)))

    with TemporaryFile() as file:
        return export(file, "xlsx", spreadsheet=Generated(), actor=SYSTEM)


before = peak()
count = {"preview": _preview, "export": _export}[sys.argv[1]](sys.argv[2])
sys.stdout.write(f"{count} {peak() - before}")
