"""The page that exports a spreadsheet."""

from typing import Any

from django import forms
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import quote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminRadioSelectWidget

from kit.admin.actions.spreadsheet_buttons import filtered_rows
from kit.admin.base_admin import BaseAdmin
from kit.admin.request_actor import request_actor
from kit.errors import DomainError
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS, Spreadsheet
from kit.spreadsheets.formats.sheets import MOST_ROWS
from kit.spreadsheets.jobs import start_export
from kit.spreadsheets.models import Import

FORMATS = [(files.CSV, "CSV"), (files.XLSX, f"XLSX, for up to {MOST_ROWS:,} rows")]


class ExportForm(forms.Form):
    """The format, and the columns: all of them unless some are chosen."""

    format = forms.ChoiceField(choices=FORMATS, initial=files.CSV, label="File", widget=UnfoldAdminRadioSelectWidget)
    columns = forms.MultipleChoiceField(
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text="Choose none to export all columns. To import the file again, include the ids.",
    )

    def __init__(self, spreadsheet: Spreadsheet, data: Any = None) -> None:
        super().__init__(data)
        columns: Any = self.fields["columns"]
        columns.choices = [(column.field, column.name.replace("{}", "…")) for column in spreadsheet.columns.all]


def export_view(request: HttpRequest, spreadsheet: str, model_admin: BaseAdmin[Import]) -> HttpResponse:
    """Show the form, or start the job and show its page."""
    declared, actor = SPREADSHEETS.get().get(spreadsheet), request_actor(request)
    if declared is None:
        raise Http404
    if not declared.may_export(actor):
        raise PermissionDenied
    try:
        rows = filtered_rows(request, spreadsheet)
    except IncorrectLookupParameters:  # no list of ours links to such filters
        raise Http404 from None
    form = ExportForm(declared, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            job = start_export(
                spreadsheet,
                actor=actor,
                format=form.cleaned_data["format"],
                fields=form.cleaned_data["columns"],
                keys=None if rows is None else rows.order_by().values_list("pk", flat=True),
            )
        except DomainError as refusal:
            form.add_error(None, refusal.message)
        else:
            return redirect("admin:jobs_job_change", quote(job.pk))
    title = f"Export {declared.title.lower()}"
    return model_admin.page(
        request, "spreadsheets/export.html", title=title, spreadsheet=declared, form=form, rows=rows
    )


EXPORT_URL = ("export/<str:spreadsheet>/", "spreadsheets_import_export", export_view)
