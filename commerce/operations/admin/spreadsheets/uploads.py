"""The page that uploads a spreadsheet with a plain form."""

from collections.abc import Sequence
from functools import partial
from typing import BinaryIO, cast

from django import forms
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from unfold.widgets import UnfoldAdminFileFieldWidget

from kit.admin.base_admin import BaseAdmin
from kit.admin.request_actor import request_actor
from kit.errors import DomainError
from kit.rest.requests.multipart import read_files
from kit.rest.requests.origins import is_own_page
from kit.server.uploads import ACCEPTED, HEAD, LIMIT
from kit.spreadsheets import files
from kit.spreadsheets.declarations import SPREADSHEETS, Spreadsheet
from kit.spreadsheets.models import Import
from kit.spreadsheets.uploads import upload

FIELD = "file"
_TAKEN = ".csv,.tsv,.txt,.xlsx"
_BESIDES = 64 * 1024
"""Bytes of a form besides its file."""


class UploadForm(forms.Form):
    """What the page shows. Its file is read from disk to disk."""

    file = forms.FileField(
        widget=UnfoldAdminFileFieldWidget({"accept": _TAKEN}),
        help_text=f"CSV or XLSX, at most {files.MOST_BYTES // 1024**2} MB. You can check the "
        "columns and preview the changes before anything is written.",
    )


@csrf_exempt
def upload_view(request: HttpRequest, spreadsheet: str, model_admin: BaseAdmin[Import]) -> HttpResponse:
    """Show the form, or receive its file.

    The front sends the head first, which lacks the form's token, so `csrf_protect` runs once the body is there.
    """
    declared, actor = SPREADSHEETS.get().get(spreadsheet), request_actor(request)
    if declared is None:
        raise Http404
    if not declared.may_import(actor):
        raise PermissionDenied
    if request.method != "POST":
        return _page(model_admin, request, declared)
    if not is_own_page(request):
        raise PermissionDenied
    if HEAD in request.META:
        return HttpResponse(status=ACCEPTED, headers={LIMIT: str(files.MOST_BYTES + _BESIDES)})
    try:
        sent = read_files(request, FIELD, directory=files.directory(), is_page=True)
    except DomainError as refusal:
        return _page(model_admin, request, declared, refusal.message)
    protected: HttpResponse = csrf_protect(partial(_receive, model_admin, sent=sent))(request, spreadsheet=declared)
    return protected


UPLOAD_URL = ("upload/<str:spreadsheet>/", "spreadsheets_import_upload", upload_view)


def _receive(
    screen: BaseAdmin[Import], request: HttpRequest, *, spreadsheet: Spreadsheet, sent: Sequence[TemporaryUploadedFile]
) -> HttpResponse:
    if len(sent) != 1:
        return _page(screen, request, spreadsheet, "Choose one file.")
    try:
        one = upload(
            actor=request_actor(request),
            spreadsheet=spreadsheet.key,
            file=cast("BinaryIO", sent[0]),
            name=sent[0].name or "",
        )
    except DomainError as refusal:
        return _page(screen, request, spreadsheet, refusal.message)
    return redirect(screen.address(one.pk))


def _page(screen: BaseAdmin[Import], request: HttpRequest, spreadsheet: Spreadsheet, refusal: str = "") -> HttpResponse:
    return screen.page(
        request,
        "spreadsheets/upload.html",
        title=f"Import {spreadsheet.title.lower()}",
        form=UploadForm(),
        refusal=refusal,
        imports=screen.get_queryset(request).filter(spreadsheet=spreadsheet.key)[:5],
    )
