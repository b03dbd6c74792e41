"""Uploading a file, and choosing how it is read."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import BinaryIO

from django.db import transaction
from django.db.models import Q, QuerySet

from kit.database.locking import lock_row
from kit.domain.actor import Actor
from kit.errors import InvalidData, NotAllowed, shown
from kit.jobs.states import UNFINISHED
from kit.spreadsheets import files
from kit.spreadsheets.columns import digest_of
from kit.spreadsheets.declarations import SPREADSHEETS, Spreadsheet
from kit.spreadsheets.formats.csv_files import ENCODINGS, SAMPLE, CsvReading, detected
from kit.spreadsheets.formats.text_cells import unmarked
from kit.spreadsheets.models import LIFETIME, Import, ImportState, RememberedMapping
from kit.spreadsheets.records import file_rows
from kit.values.csv_format import DECIMAL_MARKS, SEPARATORS
from kit.values.text import LONGEST, fault
from kit.values.timestamps import now

_READING = {"encoding": ENCODINGS, "separator": SEPARATORS, "decimal_mark": DECIMAL_MARKS}


MOST_KEPT = 10
"""Imports of a person that are not confirmed."""


class ImportStarted(NotAllowed):
    """Its rows are being written."""

    message = "The import has already started, so it can no longer be changed. To change it, upload the file again."


def imports_of(actor: Actor) -> QuerySet[Import]:
    """The imports of a member of staff, as long as they live."""
    return Import.objects.filter(owner=actor.id, created_at__gt=now() - LIFETIME)


def upload(
    *, actor: Actor, spreadsheet: str, file: BinaryIO, name: str, options: Mapping[str, str] | None = None
) -> Import:
    """Store a file, and find out how it is written and what its columns are. Raises InvalidData, Forbidden.

    Columns are mapped as somebody has once mapped those of a file with the same headers, else by their names.
    """
    declared = SPREADSHEETS.get()[spreadsheet]
    declared.require_import(actor, options or {})
    one = Import(
        spreadsheet=spreadsheet, name=PurePath(name).name[-255:], owner_id=actor.id if actor.is_staff else None
    )
    beginning = file.read(SAMPLE)
    file.seek(0)
    one.format = _format(one.name, beginning)
    one.reading = asdict(detected(beginning) if one.format == "csv" else CsvReading())
    one.options = _checked_options(declared, options or {})
    one.digest = files.store(one.pk, one.format, file)
    try:
        _read_headers(one, declared)
        one.save(force_insert=True)
    except BaseException:  # without a row, nobody would find the file
        files.discard(one.pk)
        raise
    if one.owner_id:
        _delete_surplus(actor)
    return one


def _delete_surplus(actor: Actor) -> None:
    """Delete all but the newest imports that were not confirmed: their files may be large."""
    waiting = imports_of(actor).exclude(Q(state=ImportState.CONFIRMED) | Q(job__status__in=UNFINISHED))
    for key in [*waiting.order_by("-created_at", "-pk").values_list("pk", flat=True)[MOST_KEPT:]]:
        Import.objects.filter(pk=key).delete()
        files.discard(key)


@transaction.atomic
def change(
    one: Import,
    *,
    actor: Actor,
    reading: Mapping[str, str] | None = None,
    mapping: Sequence[str] | None = None,
    options: Mapping[str, str] | None = None,
) -> None:
    """Choose how the file is read; the preview is out of date then. The shop remembers the mapping.

    reading: encoding, separator, decimal_mark. mapping: a field for each header, or "". Raises InvalidData, FileGone,
    ImportStarted; NotAllowed while a preview runs as a job.
    """
    spreadsheet = SPREADSHEETS.get()[one.spreadsheet]
    spreadsheet.require_import(actor, options or {})
    lock_changeable(one)
    one.refresh_from_db()
    if one.job is not None and not one.job.is_over:
        raise NotAllowed("A preview of the file is running. Wait until it has finished, or cancel it.")
    if reading is not None:
        for key, value in reading.items():
            if value not in _READING.get(key, ()):
                raise InvalidData(f"Field '{key}': '{shown(value)}' is not known")
        one.reading = {**one.reading, **reading}
        _read_headers(one, spreadsheet)
    if options is not None:
        one.options = _checked_options(spreadsheet, options)
    if mapping is not None:
        one.mapping = _checked_mapping(one, spreadsheet, mapping)
        RememberedMapping.objects.update_or_create(
            spreadsheet=one.spreadsheet, digest=digest_of(one.headers), defaults={"mapping": one.mapping}
        )
    one.state, one.counts, one.problems = ImportState.UPLOADED, {}, []
    one.save(update_fields=("reading", "headers", "mapping", "options", "state", "counts", "problems"))


def lock_changeable(one: Import) -> Import:
    """The stored import, locked until the transaction ends. Raises ImportStarted, FileGone."""
    stored = lock_row(Import.objects.all(), one.pk)
    if stored is None:
        raise files.FileGone
    if stored.state == ImportState.CONFIRMED:
        raise ImportStarted
    return stored


def _format(name: str, beginning: bytes) -> str:
    """By its content, whatever it is called. Raises InvalidData for what is no spreadsheet."""
    if name.lower().endswith((".xlsm", ".xls", ".xlsb", ".ods")):
        raise InvalidData("This kind of file cannot be imported. Save it as CSV or XLSX.")
    if beginning.startswith(b"PK\x03\x04"):
        return "xlsx"
    if b"\0" in beginning and detected(beginning).encoding != "utf-16":
        raise InvalidData("The file is neither CSV nor XLSX. Save it as one of them.")
    return "csv"


def _read_headers(one: Import, spreadsheet: Spreadsheet) -> None:
    with files.opened(one.pk, one.format) as file:
        first = next(file_rows(file, one.format, CsvReading(**one.reading)), None)
    if first is None:
        raise InvalidData("The file is empty.")
    one.headers = [unmarked(cell.strip()) for cell in first.cells]
    for place, header in enumerate(one.headers, 1):
        if problem := f"is longer than {LONGEST} characters" if len(header) > LONGEST else fault(header):
            raise InvalidData(f"The header of column {place} {problem}.")
    known = RememberedMapping.objects.filter(spreadsheet=one.spreadsheet, digest=digest_of(one.headers)).first()
    one.mapping = known.mapping if known else _recognised(one.headers, spreadsheet)


def _recognised(headers: Sequence[str], spreadsheet: Spreadsheet) -> list[str]:
    """The field of each header; the first header that names a field has it."""
    fields = [*map(spreadsheet.columns.recognised, headers)]
    return ["" if field in fields[:place] else field for place, field in enumerate(fields)]


def _checked_mapping(one: Import, spreadsheet: Spreadsheet, mapping: Sequence[str]) -> list[str]:
    if len(mapping) != len(one.headers):
        raise InvalidData(f"Field 'mapping' has {len(mapping)} columns, and the file has {len(one.headers)}")
    for place, field in enumerate(mapping):
        if field and spreadsheet.columns.of(field) is None:
            raise InvalidData(f"'{shown(field)}' is not a field of {spreadsheet.title.lower()}.")
        if field and field in mapping[:place]:
            raise InvalidData(f"Two columns are imported as '{shown(field)}'. Import only one of them.")
    return [*mapping]


def _checked_options(spreadsheet: Spreadsheet, options: Mapping[str, str]) -> dict[str, str]:
    for name, value in options.items():
        if name not in spreadsheet.options:
            raise InvalidData(f"Field 'options': '{shown(name)}' is not known")
        if (choices := spreadsheet.options[name].choices) and value not in choices:
            raise InvalidData(f"Field '{name}': '{shown(value)}' is not known")
    return {name: value for name, value in options.items() if value}
