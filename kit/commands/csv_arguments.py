"""The arguments of commands that write CSV."""

from argparse import ArgumentParser
from typing import Any

from kit.values.csv_format import DECIMAL_MARKS, PLAIN, SEPARATORS, CsvFormat


def add_csv_arguments(parser: ArgumentParser) -> None:
    """Add the choice of a CsvFormat."""
    group = parser.add_argument_group("format of the CSV")
    group.add_argument("--separator", choices=SEPARATORS, default=PLAIN.separator, help="Default: comma.")
    group.add_argument("--decimal-mark", choices=DECIMAL_MARKS, default=PLAIN.decimal_mark, help="Default: point.")
    group.add_argument(
        "--for-spreadsheets",
        action="store_true",
        help="Begin with the UTF-8 mark, and write phone numbers, postal codes and SKUs as texts.",
    )


def csv_format(*, separator: str, decimal_mark: str, for_spreadsheets: bool, **_: Any) -> CsvFormat:
    """The format that the arguments choose."""
    return CsvFormat(separator=separator, decimal_mark=decimal_mark, for_spreadsheets=for_spreadsheets)
