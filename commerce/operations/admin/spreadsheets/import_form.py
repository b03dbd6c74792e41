"""The form that says how a file is read: its writing, its columns, and what holds for all its rows."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms import BoundField
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from commerce.operations.admin.spreadsheets.option_fields import option_fields
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.formats.csv_files import ENCODINGS
from kit.spreadsheets.models import Import
from kit.values.text import LONGEST

READING = {
    "encoding": ("Encoding", [(name, name.upper() if "utf" in name else name.capitalize()) for name in ENCODINGS]),
    "separator": ("Separator", [("comma", "Comma"), ("semicolon", "Semicolon"), ("tab", "Tab")]),
    "decimal_mark": ("Decimal mark", [("point", "12.50"), ("comma", "12,50")]),
}
DATALIST_ID = "columns-of-spreadsheet"
"""The id of the list from which fields of columns are completed."""


class ImportForm(forms.Form):
    """For one import. A column is named as in exports, or in any way that a file may name it."""

    def __init__(self, one: Import, data: Any = None) -> None:
        self._one, self._spreadsheet = one, SPREADSHEETS.get()[one.spreadsheet]
        super().__init__(data, initial={**one.options, **one.reading})
        if one.format == files.CSV:
            for name, (label, choices) in READING.items():
                self.fields[name] = forms.ChoiceField(choices=choices, label=label, widget=UnfoldAdminSelectWidget)
        self.fields.update(option_fields(self._spreadsheet))
        for place, (header, field) in enumerate(zip(one.headers, one.mapping, strict=True)):
            self.fields[f"column-{place}"] = forms.CharField(
                required=False,
                max_length=LONGEST,
                label=header or f"Column {place + 1}",
                initial=self._name(field),
                widget=UnfoldAdminTextInputWidget(
                    {"list": DATALIST_ID, "placeholder": "Not imported", "autocomplete": "off"}
                ),
            )

    @property
    def reading_fields(self) -> list[BoundField]:
        """How a CSV file is written; none for others."""
        return [self[name] for name in READING if name in self.fields]

    @property
    def option_fields(self) -> list[BoundField]:
        """Those of the spreadsheet."""
        return [self[name] for name in self._spreadsheet.options]

    @property
    def column_fields(self) -> list[BoundField]:
        """One for each header."""
        return [self[f"column-{place}"] for place in range(len(self._one.headers))]

    @property
    def known_names(self) -> Iterator[str]:
        """What is offered for columns. Of a repeated one, as the file's other columns have it, or the first."""
        for column in self._spreadsheet.columns.all:
            if not column.field.endswith(":"):
                yield column.header(column.field.replace("#", "1"))
            else:
                yield column.name.replace("{}", "EUR")

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for bound in self.column_fields:
            typed = cleaned.get(bound.name, "").strip()
            field = self._spreadsheet.columns.recognised(typed) if typed else ""
            if typed and not field:
                self.add_error(
                    bound.name,
                    f"“{typed}” is not a column of {self._spreadsheet.title.lower()}. Choose one from the list.",
                )
            cleaned[bound.name] = field
        return cleaned

    @property
    def reading(self) -> dict[str, str]:
        """What the valid form says of the writing."""
        return {name: self.cleaned_data[name] for name in READING if name in self.fields}

    @property
    def options(self) -> dict[str, str]:
        """The chosen options."""
        return {name: self.cleaned_data[name] for name in self._spreadsheet.options}

    @property
    def mapping(self) -> list[str]:
        """The field of each header."""
        return [self.cleaned_data[bound.name] for bound in self.column_fields]

    def _name(self, field: str) -> str:
        column = self._spreadsheet.columns.of(field) if field else None
        return column.header(field) if column else ""
