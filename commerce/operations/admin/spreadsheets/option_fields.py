"""The fields of what is chosen once for a whole import: those that its spreadsheet declares."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from unfold.widgets import UnfoldAdminRadioSelectWidget, UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from carts.models import Promotion
from kit.spreadsheets.declarations import Option, Spreadsheet
from kit.values.text import LONGEST
from shop.models import Currency, SalesChannel, StockLocation

_ROWS: Mapping[str, QuerySet[Any]] = {
    "location_id": StockLocation.objects.not_deleted().order_by("name"),
    "sales_channel_id": SalesChannel.objects.not_deleted().order_by("name"),
    "currency_code": Currency.objects.order_by("pk"),
    "promotion_id": Promotion.objects.not_deleted().order_by("-pk")[:500],
}
"""The options that name a row."""


def option_fields(spreadsheet: Spreadsheet) -> dict[str, forms.Field]:
    """By the names of the spreadsheet's options. Nothing chosen is the empty text."""
    return {name: _field(name, option) for name, option in spreadsheet.options.items()}


def _field(name: str, option: Option) -> forms.Field:
    given: dict[str, Any] = {"required": False, "label": _label(name), "help_text": option.help}
    if option.choices:
        given |= {"choices": option.choices, "initial": next(iter(option.choices))}
        return forms.ChoiceField(widget=UnfoldAdminRadioSelectWidget, **given)
    if name in _ROWS:
        return forms.ChoiceField(choices=lambda: _choices(_ROWS[name]), widget=UnfoldAdminSelectWidget, **given)
    return forms.CharField(max_length=LONGEST, widget=UnfoldAdminTextInputWidget, **given)


def _label(name: str) -> str:
    words: str = name.removesuffix("_id").removesuffix("_code").replace("_", " ")
    return words.capitalize()


def _choices(rows: QuerySet[Any]) -> list[tuple[str, str]]:
    return [("", "\N{EN DASH}"), *((row.pk, str(row)) for row in rows.all())]
