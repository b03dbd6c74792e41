"""The button that exports orders, above their list, and the download of the file."""

from typing import Any

from django.contrib.admin.utils import quote, unquote
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localdate

from kit.admin.actions.confirmation import ask, is_confirmed
from kit.admin.actions.row_action import row_action
from kit.admin.base_admin import BaseAdmin
from kit.admin.buttons import Button
from kit.admin.forms.csv_fields import keep_format, last_format
from kit.admin.request_actor import may_all, request_actor
from kit.errors import NotAllowed
from kit.jobs.models import Job
from kit.values.text import is_storable
from orders.admin.exporting.export_form import ExportForm
from orders.models import Order
from orders.reports.export.files import LIFETIME, path_of
from orders.reports.export.job import DOWNLOAD, PERMISSIONS, is_downloadable, start

_NOTE = (
    "A file for spreadsheets (CSV), written in the background. Only you can download it, for "
    f"{LIFETIME.total_seconds() / 3600:.0f} hours. Orders contain names and addresses."
)


@row_action(description="Export", icon="download")
def export(screen: BaseAdmin[Order], request: HttpRequest) -> HttpResponse:
    """The form; redirects to the page of the job once it is valid."""
    form = ExportForm(request.POST if is_confirmed(request) else None, initial=last_format(request))
    if form.is_valid():
        try:
            kind, choice, csv_format = form.cleaned_data["kind"], form.choice(), form.csv_format()
            job = start(actor=request_actor(request), kind=kind, choice=choice, csv_format=csv_format)
        except NotAllowed as refusal:
            form.add_error(None, refusal.message)
        else:
            keep_format(request, csv_format)
            return redirect("admin:jobs_job_change", quote(job.pk))
    nothing = Order.objects.none()
    return ask(screen, request, nothing, action="", question="Export orders", note=_NOTE, form=form, button="Export")


def download(request: HttpRequest, job_id: str, model_admin: object) -> FileResponse:
    """The file, for the user who started the export; a 404 for everybody else."""
    job = _downloadable(request, unquote(job_id))
    try:
        file = path_of(job.pk).open("rb")
    except FileNotFoundError:
        raise Http404 from None
    name = f"{job.parameters['kind']}-{localdate(job.created_at)}.csv"
    response = FileResponse(file, as_attachment=True, filename=name, content_type="text/csv; charset=utf-8")
    response["Cache-Control"] = "no-store"
    return response


def _downloadable(request: HttpRequest, job_id: str) -> Any:
    job = Job.objects.filter(pk=job_id).first() if is_storable(job_id) else None
    if job is None or not is_downloadable(job, by=request_actor(request)):
        raise Http404
    return job


EXPORT = Button(export, may_all(*PERMISSIONS))
DOWNLOAD_URL = ("exports/<path:job_id>/", DOWNLOAD, download)
"""For `custom_urls` of the screen of orders."""
