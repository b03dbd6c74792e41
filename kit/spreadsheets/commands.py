"""The bases of commands that import and export a spreadsheet."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import CommandError

from kit.commands.atomic_files import whole_file
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS, Option, summary
from kit.spreadsheets.exports import export, export_before
from kit.spreadsheets.models import Import
from kit.spreadsheets.previews import preview
from kit.spreadsheets.records import headers_left_out, problem_line
from kit.spreadsheets.uploads import change, upload

_SHOWN = 20
"""Problems and results that are printed."""


class ExportCommand(OperatorCommand):
    """spreadsheet: a key of SPREADSHEETS; "" if it is named with each call."""

    spreadsheet: ClassVar[str] = ""
    interruption = "the file was not written"

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_spreadsheet(parser, self.spreadsheet)
        parser.add_argument("file", help="where to write it; its end, .csv or .xlsx, says how")

    def handle(self, *, file: str, verbosity: int, **options: Any) -> None:
        try:
            with whole_file(file) as written:
                count = export(
                    written,
                    _format(file),
                    spreadsheet=SPREADSHEETS.get()[self.spreadsheet or options["spreadsheet"]],
                    actor=SYSTEM,
                )
        except (DomainError, OSError) as error:
            raise CommandError(str(error)) from error
        if verbosity:
            self.stdout.write(f"{count} rows written")


class ImportCommand(OperatorCommand):
    """spreadsheet: a key of SPREADSHEETS; "" if it is named with each call."""

    spreadsheet: ClassVar[str] = ""
    interruption = "what was written stays; import the file again for the rest"

    def add_arguments(self, parser: ArgumentParser) -> None:
        _add_spreadsheet(parser, self.spreadsheet)
        parser.add_argument("file", help="a file of CSV or XLSX")
        parser.add_argument("--apply", action="store_true", help="write what the preview shows")
        parser.add_argument("--undo", metavar="FILE", help="where to write the rows as they were before")
        parser.add_argument("--map", action="append", default=[], metavar="HEADER=FIELD", help="the field of a column")
        for name, option in _options(self.spreadsheet).items():
            given: dict[str, Any] = {"choices": option.choices} if option.choices else {"metavar": name.upper()}
            parser.add_argument(f"--{name.replace('_', '-')}", default="", help=option.description, **given)

    def handle(self, *, file: str, verbosity: int, **given: Any) -> None:
        options = {name: given[name] for name in _options(self.spreadsheet) if given[name]}
        try:
            with Path(file).open("rb") as opened:
                spreadsheet = self.spreadsheet or given["spreadsheet"]
                one = upload(actor=SYSTEM, spreadsheet=spreadsheet, file=opened, name=file, options=options)
            if given["map"]:
                change(one, actor=SYSTEM, mapping=_mapping(one, given["map"]))
            preview(one, actor=SYSTEM)
            self._show_preview(one)
            if given["apply"]:
                confirm(one)
                apply(one, actor=SYSTEM)
                self._show_results(one)
            if given["undo"] and given["apply"]:
                with whole_file(given["undo"]) as written:
                    export_before(written, _format(given["undo"]), one)
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


def _add_spreadsheet(parser: ArgumentParser, spreadsheet: str) -> None:
    if not spreadsheet:
        parser.add_argument("spreadsheet", choices=sorted(SPREADSHEETS.get()), help="what the rows of the file are")


def _options(spreadsheet: str) -> dict[str, Option]:
    """Those of the spreadsheet, or of all spreadsheets; other ones are refused once the spreadsheet is known."""
    spreadsheets = [SPREADSHEETS.get()[spreadsheet]] if spreadsheet else SPREADSHEETS.get().values()
    return {name: option for one in spreadsheets for name, option in one.options.items()}


def _format(name: str) -> str:
    return "xlsx" if name.lower().endswith(".xlsx") else "csv"


def _mapping(one: Import, given: list[str]) -> list[str]:
    """The mapping of the import with these fields in it."""
    fields = dict(each.split("=", 1) for each in given if "=" in each)
    return [fields.get(header, field) for header, field in zip(one.headers, one.mapping, strict=True)]
