"""Downloads of private files: exports, and the undo files of imports."""

import tempfile
from typing import BinaryIO

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.timezone import localdate

from commerce.operations.admin.spreadsheets.import_page import owned
from kit.admin.base_admin import BaseAdmin
from kit.admin.request_actor import request_actor
from kit.errors import DomainError, Forbidden
from kit.jobs.models import Job
from kit.spreadsheets import files
from kit.spreadsheets.exports import export_undo_file
from kit.spreadsheets.jobs import DOWNLOAD, is_downloadable
from kit.spreadsheets.models import Import, ImportState
from kit.values.text import is_storable


def undo_view(request: HttpRequest, object_id: str, format: str, model_admin: BaseAdmin[Import]) -> HttpResponseBase:
    """The undo file, for the owner of the import, who must be permitted to import and to export."""
    one = owned(model_admin, request, object_id)
    if format not in files.TYPES or one.state != ImportState.CONFIRMED or not one.undo_size:
        raise Http404
    file = tempfile.TemporaryFile(dir=files.directory())  # noqa: SIM115 - the response closes it
    try:
        export_undo_file(file, format, one, actor=request_actor(request))
    except DomainError as refusal:
        file.close()
        if isinstance(refusal, files.FileGone):
            raise Http404 from refusal
        if isinstance(refusal, Forbidden):
            raise PermissionDenied from refusal
        messages.error(request, refusal.message)
        return redirect(model_admin.address(one.pk))
    file.seek(0)
    return _answer(file, format, f"{one.spreadsheet}-undo-{one.pk}")


def export_file_view(request: HttpRequest, job_id: str, model_admin: BaseAdmin[Import]) -> FileResponse:
    """The file of an export, for whoever started it; a 404 for everybody else."""
    key = unquote(job_id)
    job = Job.objects.filter(pk=key).first() if is_storable(key) else None
    if job is None or not is_downloadable(job, by=request_actor(request)):
        raise Http404
    given = job.parameters
    try:
        file = files.path_of(job.pk, given["format"]).open("rb")
    except FileNotFoundError:
        raise Http404 from None
    return _answer(file, given["format"], f"{given['spreadsheet']}-{localdate(job.created_at)}")


DOWNLOAD_URLS = (
    ("<path:object_id>/undo/<str:format>/", "spreadsheets_import_undo", undo_view),
    ("exports/<path:job_id>/", DOWNLOAD, export_file_view),
)


def _answer(file: BinaryIO, format: str, name: str) -> FileResponse:
    response = FileResponse(file, as_attachment=True, filename=f"{name}.{format}", content_type=files.TYPES[format])
    response["Cache-Control"] = "no-store"
    return response
