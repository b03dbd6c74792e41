"""How files of comma-separated values are written, for programs and for spreadsheets.

Why: docs/decisions/orders.md#spreadsheets-are-given-formulas-for-numbers-that-are-texts.
"""

import csv
import re
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from kit.values.json import JSONObject

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
DECIMAL_MARKS = {"point": ".", "comma": ","}
_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
"""By which spreadsheets know that a file is in UTF-8."""
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_NUMERIC = re.compile(
    r"'?(?i:[-+(]*[0-9][0-9 +()./,:-]*|[0-9]+(?:[.,][0-9]+)?e[-+]?[0-9]+"
    rf"|{_MONTH}[-/ .]?[0-9]{{1,4}}|[0-9]{{1,2}}[-/ .]?{_MONTH}(?:[-/ .]?[0-9]{{1,4}})?)"
)
"""What a spreadsheet may take for a number or a date. The apostrophe is that of cells which begin like a formula."""
_INNER_FORMULA = re.compile(r"""([,;\t]["']*)(?=[=+\-@])""")
"""What would begin like a formula in a spreadsheet that expects another separator than the file has."""


class Writable(Protocol):
    """A file of text."""

    def write(self, text: str, /) -> Any: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvFormat:
    """for_spreadsheets: the file begins with the UTF-8 mark, and phones, postal codes and SKUs stay texts.

    No text is then taken for a formula, even by a spreadsheet that expects another separator.
    """

    separator: str = "comma"
    decimal_mark: str = "point"
    for_spreadsheets: bool = False

    def writer(self, file: Writable, **options: Any) -> Any:
        """A writer of the csv module. It begins the file."""
        if self.for_spreadsheets:
            file.write(_MARK)
        return csv.writer(file, delimiter=SEPARATORS[self.separator], **options)

    def text(self, cell: str) -> str:
        """A cell with a text: `="0171"` is what spreadsheets keep as it is, where `0171` would become 171."""
        if not self.for_spreadsheets:
            return cell
        is_kept = _NUMERIC.fullmatch(cell)
        return f'="{cell.removeprefix(chr(39))}"' if is_kept else _INNER_FORMULA.sub(r"\1'", cell)

    def amount(self, cell: str) -> str:
        """A cell with an amount, given with a decimal point."""
        return cell.replace(".", DECIMAL_MARKS[self.decimal_mark])

    def as_json(self) -> JSONObject:
        """The format as jobs and sessions store it."""
        return asdict(self)


PLAIN = CsvFormat()
"""As in RFC 4180."""
