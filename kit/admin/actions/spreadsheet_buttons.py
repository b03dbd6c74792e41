"""The Import and Export buttons above a list."""

from copy import copy
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ORDER_VAR, PAGE_VAR
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button
from kit.admin.request_actor import request_actor
from kit.spreadsheets.declarations import SPREADSHEETS

SOURCE_LIST = "of-list"
"""The parameter that names the list whose filters the address has."""


def spreadsheet_buttons(key: str, *, has_filters: bool = True, said: str = "") -> tuple[Button, Button]:
    """For `list_buttons` of a screen. key: of SPREADSHEETS.

    has_filters: whether the spreadsheet's `id` is that of the screen's rows, so that the list's filters count.
    said: what the spreadsheet has, where that is not what the list shows.
    """

    def go_to_import(screen: object, request: HttpRequest) -> HttpResponse:
        return redirect("admin:spreadsheets_import_upload", key)

    def go_to_export(screen: BaseAdmin[Any], request: HttpRequest) -> HttpResponse:
        query = request.GET.copy() if has_filters else QueryDict(mutable=True)
        if query:
            query[SOURCE_LIST] = screen.opts.label_lower
        return redirect(reverse("admin:spreadsheets_import_export", args=[key], query=query))

    return (
        Button(
            row_action(description=f"Import {said}".strip(), icon="upload", name=f"import_{key}")(go_to_import),
            lambda request: SPREADSHEETS.get()[key].may_import(request_actor(request)),
        ),
        Button(
            row_action(description=f"Export {said}".strip(), icon="download", name=f"export_{key}")(go_to_export),
            lambda request: SPREADSHEETS.get()[key].may_export(request_actor(request)),
            keeps_filters=has_filters,
        ),
    )


def filtered_rows(request: HttpRequest, key: str) -> QuerySet[Any] | None:
    """The rows of the list whose button led here, as it is filtered; None if it has no filters.

    Raises Http404 for a list without the button, and IncorrectLookupParameters for filters that it does not know.
    """
    label = request.GET.get(SOURCE_LIST, "")
    if not label:
        return None
    screens = (one for one in admin.site._registry.values() if one.opts.label_lower == label)  # noqa: SLF001 - no public way
    screen: Any = next(screens, None)
    buttons = {button.name for button in getattr(screen, "list_buttons", ())}
    if f"export_{key}" not in buttons or not screen.has_view_permission(request):
        raise Http404
    query = request.GET.copy()
    for name in (SOURCE_LIST, PAGE_VAR, ORDER_VAR):
        query.pop(name, None)
    listed = copy(request)
    listed.GET = QueryDict(query.urlencode())
    rows: QuerySet[Any] = screen.get_changelist_instance(listed).queryset
    return rows if listed.GET else None
