"""The screen of imports: whoever uploaded a file sees it, for a day, and nobody else."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from commerce.operations.admin.spreadsheets.downloads import DOWNLOAD_URLS
from commerce.operations.admin.spreadsheets.exports import EXPORT_URL
from commerce.operations.admin.spreadsheets.import_page import STEP_URLS, import_page
from commerce.operations.admin.spreadsheets.uploads import UPLOAD_URL
from kit.admin.lists.label_column import label_column
from kit.admin.request_actor import request_actor
from kit.admin.screens.read_only_admin import ReadOnlyAdmin
from kit.admin.sections import Section
from kit.spreadsheets.declarations import SPREADSHEETS
from kit.spreadsheets.models import Import
from kit.spreadsheets.uploads import imports_of


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin[Import]):
    """One's own imports, the newest first."""

    section = Section.OPERATION
    icon = "checklist"
    menu_title = "Imports"
    nothing_yet = "No imports in the last 24 hours. To start one, choose Import above a list, such as Products."
    custom_urls = (UPLOAD_URL, EXPORT_URL, *DOWNLOAD_URLS, *STEP_URLS)

    list_display = ("name", "of", "state_shown", "created_at")
    list_filter = ("state",)
    search_fields = ("name", "=id")
    search_help_text = "Name of the file, or id"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Import]:
        return imports_of(request_actor(request)).order_by(*self.get_ordering(request))

    def has_module_permission(self, request: HttpRequest) -> bool:
        actor = request_actor(request)
        return any(spreadsheet.may_import(actor) for spreadsheet in SPREADSHEETS.get().values())

    def has_view_permission(self, request: HttpRequest, obj: Import | None = None) -> bool:
        """Who may import its spreadsheet; the list is above every page of imports and exports."""
        actor = request_actor(request)
        if obj is not None:
            return SPREADSHEETS.get()[obj.spreadsheet].may_import(actor)
        return any(one.may_import(actor) or one.may_export(actor) for one in SPREADSHEETS.get().values())

    @admin.display(description="Contents")
    def of(self, row: Import) -> str:
        return SPREADSHEETS.get()[row.spreadsheet].title

    @label_column(description="State", colours={"previewed": "info", "confirmed": "success"})
    def state_shown(self, row: Import) -> str:
        return row.state

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST":
            raise PermissionDenied
        if self.get_object(request, unquote(object_id)) is None:
            return self.gone(request, object_id)
        return import_page(self, request, object_id)
