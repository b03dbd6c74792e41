"""The fields of what is chosen once for a whole import: those that its spreadsheet declares."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import QuerySet
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from carts.models import Promotion
from kit.spreadsheets.declarations import Spreadsheet
from kit.values.text import LONGEST
from shop.models import Currency, Region, SalesChannel, StockLocation

_ROWS: Mapping[str, QuerySet[Any]] = {
    "location_id": StockLocation.objects.not_deleted().order_by("name"),
    "sales_channel_id": SalesChannel.objects.not_deleted().order_by("name"),
    "region_id": Region.objects.not_deleted().order_by("name"),
    "currency_code": Currency.objects.order_by("pk"),
    "promotion_id": Promotion.objects.not_deleted().order_by("-pk")[:500],
}
"""The options that name a row."""
_SAID = {
    "set": "Set it to the file's numbers",
    "leave": "Leave it alone",
    "link": "Link to them",
    "fetch": "Fetch them and keep copies",
}
_NOTES = {
    "stock": "Counts only for files without a column of the stock that was exported.",
    "location_id": "Where a column of stock names no location.",
    "currency_code": "Of prices whose column names no currency.",
    "sales_channel_id": "Of new products, where the file names none.",
    "pictures": "What to do with addresses of pictures elsewhere. Fetching is part of the import, not of its preview.",
    "price_list": "The title of the sale that gets prices below a compare-at price.",
}


def option_fields(spreadsheet: Spreadsheet) -> dict[str, forms.Field]:
    """By the names of the spreadsheet's options. Nothing chosen is the empty text."""
    return {name: _field(name, choices) for name, choices in spreadsheet.options.items()}


def _field(name: str, choices: Sequence[str]) -> forms.Field:
    given: dict[str, Any] = {"required": False, "label": _label(name), "help_text": _NOTES.get(name, "")}
    if choices:
        named = [(value, _SAID.get(value) or value.replace("_", " ").capitalize()) for value in choices]
        return forms.ChoiceField(choices=named, widget=UnfoldAdminRadioSelectWidget, **given)
    if name in _ROWS:
        return forms.ChoiceField(choices=lambda: _choices(_ROWS[name]), widget=UnfoldAdminSelectWidget, **given)
    return forms.CharField(max_length=LONGEST, widget=UnfoldAdminTextInputWidget, **given)


def _label(name: str) -> str:
    words: str = name.removesuffix("_id").removesuffix("_code").replace("_", " ")
    return words.capitalize()


def _choices(rows: QuerySet[Any]) -> list[tuple[str, str]]:
    return [("", "\N{EN DASH}"), *((row.pk, str(row)) for row in rows.all())]
