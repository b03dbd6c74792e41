"""Writes files: exports, and the undo files of imports."""

import json
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import BinaryIO

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType

from kit.database.read_snapshot import read_snapshot
from kit.domain.actor import SYSTEM, Actor
from kit.errors import InvalidData
from kit.jobs.kinds import Report
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS, Options, Spreadsheet, Values
from kit.spreadsheets.formats.csv_files import write_csv
from kit.spreadsheets.formats.sheets import MOST_ROWS, write_sheet
from kit.spreadsheets.formats.text_cells import marked
from kit.spreadsheets.models import Import
from kit.values.counted import counted

Texts = dict[str, str]
"""The cells of a row, by field."""


def export(
    file: BinaryIO,
    format: str,
    *,
    spreadsheet: Spreadsheet,
    actor: Actor,
    options: Options | None = None,
    report: Report = lambda done, total: None,
    fields: Collection[str] = (),
    keys: Collection[str] | None = None,
) -> int:
    """Write all rows that the actor may export. Returns how many. format: csv or xlsx.

    Raises Forbidden, and InvalidData for more rows than an XLSX file may have.

    fields: of the columns that the file has; all if it is empty. keys: the ids of the records; None for all of them.
    """
    spreadsheet.require_export(actor)
    done, hidden = 0, spreadsheet.hidden(actor)
    with tempfile.TemporaryFile() as spool:
        with read_snapshot():
            for rows in spreadsheet.rows(actor, options or {}):
                if keys is not None and rows[0].get("id") not in keys:
                    continue
                if fields:
                    rows = [_chosen(row, fields) for row in rows]  # noqa: PLW2901
                if hidden:
                    rows = [{name: row[name] for name in row if name not in hidden} for row in rows]  # noqa: PLW2901
                spool.write(json.dumps(text_rows(spreadsheet, rows), ensure_ascii=False).encode() + b"\n")
                done += len(rows)
                report(done, done)
        record(spreadsheet, actor, f"Exported {counted(done, 'row')}")
        _write(file, format, spreadsheet, spool)
    return done


def export_undo_file(file: BinaryIO, format: str, one: Import, *, actor: Actor = SYSTEM) -> None:
    """Write the undo file of an import: the rows as they were before it. Importing them undoes it.

    Raises FileGone, Forbidden, InvalidData for more rows than an XLSX file may have.
    """
    spreadsheet = SPREADSHEETS.get()[one.spreadsheet]
    spreadsheet.require_import(actor, one.options)
    spreadsheet.require_export(actor)
    with files.opened(one.pk, "undo") as spool:
        bases = {field.partition(":")[0] for row in _spooled(spool, one.undo_size) for field in row}
        for base in sorted(bases & spreadsheet.revealing.keys()):
            actor.require(spreadsheet.revealing[base])
        record(spreadsheet, actor, f"Exported what import {one.pk} has changed")
        _write(file, format, spreadsheet, spool, limit=one.undo_size)


def record(spreadsheet: Spreadsheet, actor: Actor, message: str) -> None:
    """Add an entry to the history of the spreadsheet's model, if exports stand there, and a person exports."""
    if spreadsheet.recorded and actor.is_staff:
        kind = ContentType.objects.get_for_model(spreadsheet.recorded)
        LogEntry.objects.create(
            user_id=str(actor.id),
            content_type=kind,
            object_repr=spreadsheet.title,
            action_flag=CHANGE,
            change_message=message,
        )


def text_rows(spreadsheet: Spreadsheet, rows: Sequence[Values]) -> list[Texts]:
    """The cells of these rows that are not empty, and of fields that a row has, empty ones. Texts are marked."""
    return [{field: _cell(spreadsheet, field, value) for field, value in row.items()} for row in rows]


def _chosen(row: Values, fields: Collection[str]) -> Values:
    """What the row has of these columns."""
    stems = {field.partition(":")[0] for field in fields}
    return {field: value for field, value in row.items() if field.partition(":")[0] in stems}


def _cell(spreadsheet: Spreadsheet, field: str, value: object) -> str:
    if value is None:
        return ""
    column = spreadsheet.columns.of(field)
    if column is None:
        raise KeyError(field)
    text = column.kind.write(value)
    return text if column.kind.is_number else marked(text)


def _write(file: BinaryIO, format: str, spreadsheet: Spreadsheet, spool: BinaryIO, limit: int | None = None) -> None:
    """The spool has the rows of a record in each line. The first pass finds the columns, the second writes them."""
    plain = {column.field for column in spreadsheet.columns.all if not column.field.endswith((":", "#"))}
    found = set[str]()
    for count, row in enumerate(_spooled(spool, limit), 1):
        if format == files.XLSX and count > MOST_ROWS:
            raise InvalidData(f"Choose CSV: an XLSX file can have at most {MOST_ROWS:,} rows.")
        found.update(row)
    fields = spreadsheet.columns.ordered(found or plain)
    headers = [marked(spreadsheet.columns.header(field)) for field in fields]
    rows = ([row.get(field, "") for field in fields] for row in _spooled(spool, limit))
    every: Iterable[list[str]] = (row for part in ([headers], rows) for row in part)
    if format == "xlsx":
        write_sheet(file, spreadsheet.title, every)
    else:
        write_csv(file, every)


def _spooled(spool: BinaryIO, limit: int | None) -> Iterator[Texts]:
    spool.seek(0)
    read = 0
    for line in spool:
        read += len(line)
        if limit is not None and read > limit:
            return
        yield from json.loads(line)
