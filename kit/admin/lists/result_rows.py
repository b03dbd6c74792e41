"""The rows of a list. The theme renders a template for each checkbox and label, and all headers again for each row."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from functools import cache
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import lookup_field
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import DateField, ForeignKey, Model, TimeField
from django.template import Context, Library
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from unfold.admin import checkbox
from unfold.templatetags.unfold_list import CHECKBOX_CLASSES, LINK_CLASSES, ROW_CLASSES, result_headers
from unfold.utils import display_for_field, display_for_header, display_for_label, display_for_value

from kit.admin.lists.row_link import may_open

register = Library()

_BODY = "block relative lg:table-row-group"
_SHADE = "bg-base-50 dark:bg-white/[.02]"
_ROW = (
    "data-row block border border-base-200 mb-3 relative rounded-default lg:table-row lg:border-none lg:mb-0 "
    "lg:rounded-none dark:border-base-800"
)


class Column(NamedTuple):
    """before, after: the markup around a cell; on_one_line: before a cell that is not broken into lines.

    is_link: whether the cell links to the page of its row.
    """

    name: str
    before: SafeString
    on_one_line: SafeString
    after: SafeString
    is_link: bool


@register.inclusion_tag("admin/result_rows.html", takes_context=True)
def result_rows(context: Context, cl: Any) -> Mapping[str, Any]:
    """The table of the rows on the page."""
    headers = list(result_headers(cl))
    flat: Mapping[Any, Any] = context.flatten()
    return {
        **flat,
        "result_headers": headers,
        "num_sorted_fields": sum(bool(header["sortable"] and header["sorted"]) for header in headers),
        "rows": mark_safe("".join(_table_bodies(cl, headers))),  # noqa: S308 - cells are escaped one by one
    }


def _table_bodies(cl: Any, headers: list[dict[str, Any]]) -> Iterator[str]:
    cells = Cells(cl)
    shown = list(_columns(cl, headers))
    for place, row in enumerate(cl.result_list):
        body = f"{_BODY} {_SHADE}" if place % 2 else _BODY
        yield f'<tbody class="{body}"><tr class="{_ROW}">{" ".join(cells.cell(one, row) for one in shown)}</tr></tbody>'


def _columns(cl: Any, headers: list[dict[str, Any]]) -> Iterator[Column]:
    links = cl.list_display_links
    has_title = False
    for place, (name, header) in enumerate(zip(cl.list_display, headers, strict=True)):
        is_link = links is not None and (name in links if links else not has_title)
        tag = "th" if is_link and not has_title else "td"
        has_title = has_title or is_link
        own = CHECKBOX_CLASSES if name == "action_checkbox" else ROW_CLASSES
        classes = " ".join([f"field-{name}", *own] if own is ROW_CLASSES else own)
        label = header["text"] if place or is_link else "Select record"
        before, on_one_line = (
            format_html('<{} class="{}" data-label="{}">', tag, each, label) for each in (classes, f"{classes} nowrap")
        )
        yield Column(name, before, on_one_line, format_html("</{}>", tag), is_link)


_TAG_OR_LONG_WORD = re.compile(r"<[^>]*>|[^\s<>&;]{30,}")
_LONG, _PART = 30, 16


def breakable(shown: str) -> str:
    """The HTML with places where long words may be broken. A word that may not makes its column as wide as itself."""
    return shown if len(shown) < _LONG else mark_safe(_TAG_OR_LONG_WORD.sub(_broken, shown))  # noqa: S308 - as it was


def _broken(found: re.Match[str]) -> str:
    text = found[0]
    parts = [text[start : start + _PART] for start in range(0, len(text), _PART)]
    return text if text[0] == "<" else "<wbr>".join(parts)


class Cells:
    """The cells of one page. Each label is rendered once."""

    def __init__(self, cl: Any) -> None:
        self._cl = cl
        self._labels: dict[tuple[str, object], str] = {}
        self._filters: str | None = None

    def cell(self, column: Column, row: Model) -> str:
        """The whole cell, escaped."""
        if column.name == "action_checkbox":
            start, end = _checkbox()
            return f"{column.before}{start}{conditional_escape(row.pk)}{end}{column.after}"
        value, is_on_one_line = self._value(column.name, row)
        shown = breakable(conditional_escape(value))
        before = column.on_one_line if is_on_one_line else column.before
        return f"{before}{self._linked(shown, row) if column.is_link else shown}{column.after}"

    def _value(self, name: str, row: Model) -> tuple[Any, bool]:
        """What the theme shows of a column, by its method's decorator or its field; and whether on one line."""
        empty = self._cl.model_admin.get_empty_value_display()
        try:
            found: tuple[Any, Any, Any] = lookup_field(name, row, self._cl.model_admin)
        except ObjectDoesNotExist:
            return empty, False
        field, method, value = found
        empty = getattr(method, "empty_value_display", empty)
        if field is not None and not field.auto_created:
            if isinstance(field, ForeignKey):
                related = getattr(row, field.name)
                return (empty if related is None else related), True
            return display_for_field(value, field, empty), isinstance(field, DateField | TimeField)
        if getattr(method, "label", False):
            return self._label(name, value, empty, method.label), False
        if getattr(method, "header", False):
            return display_for_header(value, empty), False
        shown = display_for_value(value, empty, getattr(method, "boolean", False))
        return shown, isinstance(value, date | time)

    def _label(self, name: str, value: Any, empty: str, colours: object) -> str:
        key = (name, repr(value))
        if key not in self._labels:
            self._labels[key] = display_for_label(value, empty, colours)
        return self._labels[key]

    def _linked(self, shown: str, row: Model) -> str:
        """The link to the row's page, which leads back to the list as it is filtered."""
        url = str(self._cl.url_for_result(row))
        if self._filters is None:
            kept = {"preserved_filters": self._cl.preserved_filters, "opts": self._cl.opts}
            self._filters = str(add_preserved_filters(kept, url)).removeprefix(url)
        key = row.serializable_value(str(self._cl.to_field or self._cl.lookup_opts.pk.attname))
        opener = format_html(' data-popup-opener="{}"', key) if self._cl.is_popup else ""
        return format_html(
            '<a href="{}" class="{}"{}>{}</a>', f"{url}{self._filters}", " ".join(LINK_CLASSES), opener, shown
        )


@register.simple_tag(takes_context=True)
def origin_screen(context: Context, screen: Any) -> Mapping[str, str] | None:
    """The screen that the rows of an empty list come from, if the user may open it."""
    model = apps.get_model(screen.made_on) if screen.made_on else None
    if model is None or not may_open(context["request"], model):
        return None
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    origin: Any = admin.site.get_model_admin(model)
    return {"title": origin.title, "address": address}


@cache
def _checkbox() -> tuple[str, str]:
    """The markup around the key of a row."""
    before, _, after = str(checkbox.render(ACTION_CHECKBOX_NAME, "key-of-the-row")).partition("key-of-the-row")
    return before, after
