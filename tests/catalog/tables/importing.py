"""Importing and exporting texts of CSV, as tests do."""

import csv
import io
from typing import Any

from kit.domain.actor import SYSTEM, Actor
from kit.tables.applying import apply, confirm
from kit.tables.exports import export, export_before
from kit.tables.models import Import
from kit.tables.previews import preview
from kit.tables.tables import TABLES
from kit.tables.uploads import upload


def uploaded(text: str | bytes, *, table: str = "products", actor: Actor = SYSTEM, **options: str) -> Import:
    """The import of a file that was just uploaded."""
    content = text.encode() if isinstance(text, str) else text
    return upload(actor=actor, table=table, file=io.BytesIO(content), name="file.csv", options=options)


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


def exported(table: str = "products", **options: str) -> str:
    """The file of all rows, without the mark of UTF-8."""
    return exported_by(SYSTEM, table, **options)


def exported_by(actor: Actor, table: str, **options: str) -> str:
    """The file of all rows that the actor may export."""
    file = io.BytesIO()
    export(file, "csv", table=TABLES.get()[table], actor=actor, options=options)
    return file.getvalue().decode("utf-8-sig")


def before(one: Import, *, actor: Actor = SYSTEM) -> str:
    """The file that takes the import back."""
    file = io.BytesIO()
    export_before(file, "csv", one, actor=actor)
    return file.getvalue().decode("utf-8-sig")


def table(text: str) -> list[dict[str, str]]:
    """The rows of a file by header."""
    return [*csv.DictReader(io.StringIO(text, newline=""))]


def lines(*rows: str) -> str:
    """A file of these lines."""
    return "".join(f"{row}\r\n" for row in rows)
