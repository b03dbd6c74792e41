"""`manage.py export_spreadsheet SPREADSHEET FILE`: products, prices, stock, customers and others as CSV or XLSX."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from kit.commands.atomic_files import whole_file
from kit.commands.operator_command import OperatorCommand
from kit.domain.actor import SYSTEM
from kit.errors import DomainError
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.exports import export
from kit.spreadsheets.files import format_of
from kit.values.counted import counted


class Command(OperatorCommand):
    """Prints how many rows it wrote."""

    help = (
        "Write a CSV or XLSX file that import_spreadsheet can read. Files of customers, gift cards and promotion codes "
        "contain personal data or whole codes: store them securely."
    )
    examples = ("export_spreadsheet products products.csv", "export_spreadsheet customers customers.xlsx")
    interruption = "the file was not written"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("spreadsheet", choices=sorted(SPREADSHEETS.get()), help="what to export")
        parser.add_argument("file", help="path to write to; .xlsx writes XLSX, any other ending CSV")

    def handle(self, *, spreadsheet: str, file: str, verbosity: int, **options: object) -> None:
        try:
            with whole_file(file) as written:
                declared = SPREADSHEETS.get()[spreadsheet]
                count = export(written, format_of(file), spreadsheet=declared, actor=SYSTEM)
        except (DomainError, OSError) as error:
            raise CommandError(str(error)) from error
        if verbosity:
            self.stdout.write(f"{counted(count, 'row')} written")
