"""The page of an import, and its steps: how the file is read, the preview, the apply and its results."""

from collections.abc import Sequence
from itertools import islice, zip_longest
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import Truncator

from commerce.operations.admin.spreadsheets.import_form import DATALIST_ID, ImportForm
from commerce.operations.admin.spreadsheets.results import ROWS_A_PAGE, results_of
from kit.admin.base_admin import BaseAdmin
from kit.admin.inlines.page_table import NOTHING, PageTable
from kit.admin.request_actor import request_actor
from kit.errors import DomainError
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS, Result, summary
from kit.spreadsheets.formats.csv_files import CsvReading
from kit.spreadsheets.jobs import start_apply, start_preview
from kit.spreadsheets.models import Import, ImportState
from kit.spreadsheets.previews import MOST_PROBLEMS, preview
from kit.spreadsheets.records import file_rows, headers_left_out
from kit.spreadsheets.uploads import change

AT_ONCE = 256 * 1024
"""Larger CSV files, and all XLSX files, are previewed in the background: this many bytes take half a second."""
_LONGEST_CELL = 80


def import_page(
    screen: BaseAdmin[Import], request: HttpRequest, object_id: str, form: ImportForm | None = None
) -> HttpResponse:
    """The page as the import's state wants it."""
    one = owned(screen, request, object_id)
    job = one.job
    context: dict[str, Any] = {"is_running": job is not None and not job.is_over, "job": job}
    if one.state == ImportState.CONFIRMED:
        context |= {"said": summary(one.done), "total": one.total, **results_of(request, one)}
    elif not context["is_running"]:
        form = form or ImportForm(one)
        context |= {"form": form, "columns": _columns(one, form), "list": DATALIST_ID, **_previewed(request, one)}
    return screen.page(
        request,
        "spreadsheets/import.html",
        title=one.name,
        original=one,
        spreadsheet=SPREADSHEETS.get()[one.spreadsheet],
        formats=(files.CSV, files.XLSX),
        **context,
    )


def owned(screen: BaseAdmin[Import], request: HttpRequest, object_id: str) -> Import:
    """The user's own import. Another's, and one that was deleted, is a 404."""
    one = screen.get_object_or_404(request, object_id)
    if not screen.has_view_permission(request, one):
        raise PermissionDenied
    return one


def preview_view(request: HttpRequest, object_id: str, model_admin: BaseAdmin[Import]) -> HttpResponse:
    """Take the form's choices, and preview the import: at once if the file is small."""
    one = _posted(model_admin, request, object_id)
    form = ImportForm(one, request.POST)
    if not form.is_valid():
        return import_page(model_admin, request, object_id, form)
    try:
        if _store_choices(request, one, form):
            return redirect(model_admin.address(one.pk))
        actor = request_actor(request)
        if one.format == files.CSV and files.path_of(one.pk, one.format).stat().st_size <= AT_ONCE:
            preview(one, actor=actor)
        else:
            start_preview(one, actor=actor)
    except (DomainError, FileNotFoundError) as refusal:
        form.add_error(None, str(refusal) if isinstance(refusal, DomainError) else files.FileGone.message)
        return import_page(model_admin, request, object_id, form)
    return redirect(model_admin.address(one.pk))


def apply_view(request: HttpRequest, object_id: str, model_admin: BaseAdmin[Import]) -> HttpResponse:
    """Start the job that writes what the preview shows."""
    one = _posted(model_admin, request, object_id)
    try:
        start_apply(one, actor=request_actor(request))
    except DomainError as refusal:
        messages.error(request, refusal.message)
    return redirect(model_admin.address(one.pk))


STEP_URLS = (
    ("<path:object_id>/preview/", "spreadsheets_import_preview", preview_view),
    ("<path:object_id>/apply/", "spreadsheets_import_apply", apply_view),
)


def _posted(screen: BaseAdmin[Import], request: HttpRequest, object_id: str) -> Import:
    if request.method != "POST":
        raise Http404
    return owned(screen, request, object_id)


def _store_choices(request: HttpRequest, one: Import, form: ImportForm) -> bool:
    """Store what the form changes. Returns whether the file now has other headers."""
    actor, before = request_actor(request), one.headers
    reading = form.reading if form.reading and form.reading != one.reading else None
    change(one, actor=actor, reading=reading, options=form.options)
    if one.headers != before:
        messages.info(request, "The file was read again with the new format. Check its columns.")
        return True
    if form.mapping != one.mapping:
        change(one, actor=actor, mapping=form.mapping)
    return False


def _columns(one: Import, form: ImportForm) -> list[tuple[str, str, Any]]:
    """Each column of the file: its header, its first cell, and the field that names what it holds."""
    fields = zip_longest(one.headers, form.column_fields, _first_cells(one)[: len(one.headers)], fillvalue="")
    return [(header, Truncator(cell).chars(_LONGEST_CELL), field) for header, field, cell in fields]


def _first_cells(one: Import) -> Sequence[str]:
    """Of the first row of a CSV file; others are unpacked as a whole before their first row is read."""
    if one.format != files.CSV:
        return ()
    try:
        with files.opened(one.pk, one.format) as file:
            rows = file_rows(file, one.format, CsvReading(**one.reading))
            return next((row.cells for row in islice(rows, 1, 2)), ())
    except DomainError:  # the preview reports it
        return ()


def _previewed(request: HttpRequest, one: Import) -> dict[str, Any]:
    if one.state != ImportState.PREVIEWED:
        return {}
    page = Paginator(one.problems, ROWS_A_PAGE).get_page(request.GET.get("problems"))
    cells = [(f"Row {row}", header or NOTHING, message) for row, header, message in page]
    return {
        "is_previewed": True,
        "figures": [(kind.label, one.counts.get(kind, 0)) for kind in Result if kind != Result.SKIPPED],
        "rows": one.counts["rows"],
        "writes": one.counts.get(Result.NEW, 0) + one.counts.get(Result.CHANGED, 0),
        "problems": page,
        "has_more_problems": len(one.problems) >= MOST_PROBLEMS,
        "problem_table": PageTable("Problems", ("Place", "Column", "Problem"), cells),
        "left_out": headers_left_out(one, SPREADSHEETS.get()[one.spreadsheet]),
    }
