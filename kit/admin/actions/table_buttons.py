"""The buttons above a list that import its table from a spreadsheet, and export it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from kit.admin.actions.row_action import row_action
from kit.admin.buttons import Button
from kit.admin.request_actor import request_actor
from kit.tables.tables import TABLES


def table_buttons(key: str) -> tuple[Button, Button]:
    """For `list_buttons` of a screen. key: of TABLES."""

    def go_to_import(screen: object, request: HttpRequest) -> HttpResponse:
        return redirect("admin:tables_import_upload", key)

    def go_to_export(screen: object, request: HttpRequest) -> HttpResponse:
        return redirect(reverse("admin:tables_import_export", args=[key], query=request.GET))

    def may(request: HttpRequest, kind: str) -> bool:
        table, actor = TABLES.get()[key], request_actor(request)
        return all(map(actor.may, table.importing if kind == "import" else table.exporting))

    return (
        Button(
            row_action(description="Import", icon="upload", name=f"import_{key}")(go_to_import),
            lambda request: may(request, "import"),
        ),
        Button(
            row_action(description="Export", icon="download", name=f"export_{key}")(go_to_export),
            lambda request: may(request, "export"),
        ),
    )
