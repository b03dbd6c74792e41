"""Importing and exporting texts of CSV, as tests do."""

import csv
import io
from collections.abc import Collection
from typing import Any

from kit.domain.actor import SYSTEM, Actor
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.exports import export, export_undo_file
from kit.spreadsheets.models import Import
from kit.spreadsheets.previews import preview
from kit.spreadsheets.uploads import upload


def uploaded(text: str | bytes, *, spreadsheet: str = "products", actor: Actor = SYSTEM, **options: str) -> Import:
    """The import of a file that was just uploaded."""
    content = text.encode() if isinstance(text, str) else text
    return upload(actor=actor, spreadsheet=spreadsheet, file=io.BytesIO(content), name="file.csv", options=options)


def previewed(text: str | bytes, **given: Any) -> Import:
    """With its preview."""
    one = uploaded(text, **given)
    preview(one, actor=given.get("actor", SYSTEM))
    return one


def applied(text: str | bytes, **given: Any) -> Import:
    """Applied to its end."""
    one = previewed(text, **given)
    confirm(one)
    apply(one, actor=given.get("actor", SYSTEM))
    one.refresh_from_db()
    return one


def exported(spreadsheet: str = "products", **options: str) -> str:
    """The file of all rows, without the mark of UTF-8."""
    return exported_by(SYSTEM, spreadsheet, **options)


def exported_by(actor: Actor, spreadsheet: str, *, keys: Collection[str] | None = None, **options: str) -> str:
    """The file of all rows that the actor may export. keys: of those alone."""
    file = io.BytesIO()
    export(file, "csv", spreadsheet=SPREADSHEETS.get()[spreadsheet], actor=actor, options=options, keys=keys)
    return file.getvalue().decode("utf-8-sig")


def undo_file(one: Import, *, actor: Actor = SYSTEM) -> str:
    """The undo file of the import."""
    file = io.BytesIO()
    export_undo_file(file, "csv", one, actor=actor)
    return file.getvalue().decode("utf-8-sig")


def spreadsheet(text: str) -> list[dict[str, str]]:
    """The rows of a file by header."""
    return [*csv.DictReader(io.StringIO(text, newline=""))]


def lines(*rows: str) -> str:
    """A file of these lines."""
    return "".join(f"{row}\r\n" for row in rows)
