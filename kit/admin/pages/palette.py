"""What the palette (Ctrl+K) finds: screens of the menu, and rows of screens such as orders, by their own search."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from unfold.dataclasses import SearchResult

from kit.admin.base_admin import BaseAdmin
from kit.admin.pages.navigation import sidebar

MOST_FOUND = 5
"""The most rows that are listed of one screen."""
_LONGEST = 200
_MOST = 100


def palette(request: HttpRequest) -> HttpResponse:
    """The list of what was found, as the theme's script reads it. The theme's own view would cache it for minutes."""
    term = request.GET.get("s", "").strip()[:_LONGEST]
    found = [*_screens(request, term.lower()), *_found_rows(request, term)] if term else []
    page = Paginator(found, _MOST).page(1)
    return TemplateResponse(request, "admin/palette.html", {"results": page}, headers={"HX-Trigger": "search"})


def _screens(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    for group in sidebar(request):
        for item in group["items"]:
            if term in item["title"].lower():
                yield SearchResult(item["title"], str(group.get("title", "")), item["link"], item["icon"])


def _found_rows(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    """The found rows of screens that the user may view."""
    for screen in admin.site._registry.values():  # noqa: SLF001 - Django has no public way to them
        if isinstance(screen, BaseAdmin) and screen.is_in_palette and screen.has_view_permission(request):
            yield from _found_by(screen, request, term)


def _found_by(screen: BaseAdmin[Any], request: HttpRequest, term: str) -> Iterator[SearchResult]:
    rows, _ = screen.get_search_results(request, screen.get_queryset(request), term)
    if any(field.name == "deleted_at" for field in screen.opts.concrete_fields):
        rows = rows.filter(deleted_at=None)
    # A search through other tables may find a row several times.
    found = list(dict.fromkeys(rows[: 2 * MOST_FOUND]))[:MOST_FOUND]
    labels, details = screen.labels(found), screen.details(found)
    name = f"admin:{screen.opts.app_label}_{screen.opts.model_name}_change"
    for row in found:
        yield SearchResult(
            title=labels[row.pk],
            description=" · ".join([capfirst(screen.opts.verbose_name), *details.get(row.pk, ())]),
            link=reverse(name, args=[quote(row.pk)]),
            icon=screen.icon,
        )
