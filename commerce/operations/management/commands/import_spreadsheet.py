"""`manage.py import_spreadsheet SPREADSHEET FILE`: products, prices, stock, customers and others from CSV or XLSX."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from kit.commands.atomic_files import whole_file
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS, Option, summary
from kit.spreadsheets.exports import export_undo_file
from kit.spreadsheets.files import format_of
from kit.spreadsheets.models import Import
from kit.spreadsheets.previews import preview
from kit.spreadsheets.records import headers_left_out, problem_line
from kit.spreadsheets.uploads import change, upload

_SHOWN = 20
"""Problems and results that are printed."""


class Command(OperatorCommand):
    """Prints the preview and, with --apply, the results."""

    help = (
        "Import a CSV or XLSX file. Product files from Shopify and Medusa work as they are; map other columns with "
        "--map. Without --apply, the command only shows what would change."
    )
    examples = (
        "import_spreadsheet products products.csv",
        "import_spreadsheet stock stock.csv --apply --stock set --undo undo.csv",
    )
    interruption = "what was written stays; import the same file again within a day for the rest"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("spreadsheet", choices=sorted(SPREADSHEETS.get()), help="what the rows of the file are")
        parser.add_argument("file", help="path of the CSV or XLSX file")
        parser.add_argument("--apply", action="store_true", help="write what the preview shows")
        parser.add_argument("--undo", metavar="FILE", help="write an undo file to FILE")
        parser.add_argument(
            "--map",
            action="append",
            default=[],
            metavar="HEADER=FIELD",
            help="import the column HEADER as FIELD, a column of exports, for example --map 'Preis=Variant Price EUR'",
        )
        for name, option in _options().items():
            given: dict[str, Any] = {"choices": option.choices} if option.choices else {"metavar": name.upper()}
            parser.add_argument(f"--{name.replace('_', '-')}", default="", help=option.description, **given)

    def handle(self, *, spreadsheet: str, file: str, verbosity: int, **given: Any) -> None:
        options = {name: given[name] for name in _options() if given[name]}
        try:
            with Path(file).open("rb") as opened:
                one = upload(actor=SYSTEM, spreadsheet=spreadsheet, file=opened, name=file, options=options)
            if given["map"]:
                change(one, actor=SYSTEM, mapping=_mapping(one, given["map"]))
            preview(one, actor=SYSTEM)
            self._show_preview(one)
            if given["apply"]:
                confirm(one)
                try:
                    apply(one, actor=SYSTEM)
                    self._show_results(one)
                finally:  # nobody else can reach an import without an owner
                    _write_undo_file(one, given["undo"])
        except (DomainError, OSError) as error:
            raise CommandError(str(error)) from error

    def _show_preview(self, one: Import) -> None:
        if left_out := headers_left_out(one, SPREADSHEETS.get()[one.spreadsheet]):
            self.stdout.write(f"Columns that will not be imported: {', '.join(left_out)}.")
        for problem in one.problems[:_SHOWN]:
            self.stdout.write(problem_line(*problem))
        self.stdout.write(summary(one.counts))

    def _show_results(self, one: Import) -> None:
        self.stdout.write(f"Applied: {summary(one.done)}")
        for result in one.results.exclude(text="")[:_SHOWN]:
            self.stdout.write(f"{result.label}: {result.text}")


def _options() -> dict[str, Option]:
    """Those of all spreadsheets; once the spreadsheet is known, those of others are refused."""
    return {name: option for one in SPREADSHEETS.get().values() for name, option in one.options.items()}


def _write_undo_file(one: Import, path: str | None) -> None:
    """Also of an import that has ended early: of what it has written until then."""
    one.refresh_from_db()
    if path and one.position:
        with whole_file(path) as written:
            export_undo_file(written, format_of(path), one)


def _mapping(one: Import, given: Sequence[str]) -> list[str]:
    """The mapping of the import with these fields in it."""
    mapping, columns = [*one.mapping], SPREADSHEETS.get()[one.spreadsheet].columns
    for each in given:
        header, equals, field = each.rpartition("=")
        if not equals or header not in one.headers:
            raise CommandError(f"--map: the file has no column '{header or each}'")
        mapping[one.headers.index(header)] = columns.recognised(field) or field
    return mapping
