"""The choice of how a CSV file is written, kept for the next one of the session."""

from typing import Any

from django import forms
from django.http import HttpRequest
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldBooleanSwitchWidget

from kit.values.csv_format import PLAIN, CsvFormat

_KEY = "csv_format"
_SEPARATORS = (("comma", "Comma"), ("semicolon", "Semicolon"), ("tab", "Tab"))
_DECIMAL_MARKS = (("point", "12.50"), ("comma", "12,50"))


class CsvFields(forms.Form):
    """Fields of a form that exports."""

    separator = forms.ChoiceField(
        required=False, choices=_SEPARATORS, label="Separator", widget=UnfoldAdminRadioSelectWidget
    )
    decimal_mark = forms.ChoiceField(
        required=False, choices=_DECIMAL_MARKS, label="Amounts", widget=UnfoldAdminRadioSelectWidget
    )
    for_spreadsheets = forms.BooleanField(
        required=False,
        label="For spreadsheets",
        widget=UnfoldBooleanSwitchWidget,
        help_text="Excel shows accents right, and phones, postal codes and SKUs keep their zeros. Not for programs.",
    )

    def csv_format(self) -> CsvFormat:
        """The format that the valid form chooses."""
        given: dict[str, Any] = {name: self.cleaned_data[name] or plain for name, plain in PLAIN.as_json().items()}
        return CsvFormat(**given)


def last_format(request: HttpRequest) -> dict[str, Any]:
    """The initial values of CsvFields: those of this session's last file."""
    return {**PLAIN.as_json(), **request.session.get(_KEY, {})}


def keep_format(request: HttpRequest, chosen: CsvFormat) -> None:
    """Offer the format for the next file, too."""
    if last_format(request) != chosen.as_json():
        request.session[_KEY] = chosen.as_json()
