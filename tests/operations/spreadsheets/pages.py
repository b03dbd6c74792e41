"""What tests of the pages of imports and exports do on them."""

from typing import Any

from django.contrib.admin.utils import quote
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from kit.spreadsheets.models import Import
from tests.catalog.spreadsheets.importing import lines
from tests.catalog.spreadsheets.test_medusa_template import HEADER, MUG, SHIRTS
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

UPLOAD = "/admin/spreadsheets/import/upload/products/"
EXPORT = "/admin/spreadsheets/import/export/products/"
FILE = lines(HEADER, MUG, *SHIRTS)
GERMAN = "Kürzel;Titel;Preis\r\nmug;Tasse;12,50\r\n"
OWN = {"HTTP_ORIGIN": "http://testserver"}


def signed_in(**fields: Any) -> Client:
    client = Client()
    client.force_login(UserFactory(**fields))
    return client


def upload(client: Client, content: str | bytes = FILE, name: str = "products.csv", **meta: Any) -> HttpResponse:
    data = content.encode() if isinstance(content, str) else content
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, data)}, **{**OWN, **meta})


def uploaded(client: Client, content: str | bytes = FILE) -> Import:
    answer = upload(client, content)
    one = Import.objects.order_by("-pk")[0]
    assert answer["Location"] == page(one)
    return one


def page(one: Import, step: str = "change") -> str:
    return f"/admin/spreadsheets/import/{quote(one.pk)}/{step}/"


def preview(client: Client, one: Import, **changed: str) -> HttpResponse:
    """Submit the form of the page as it is, but for some fields."""
    form = client.get(page(one)).context["form"]
    shown = {bound.name: bound.value() or "" for bound in form}
    return client.post(page(one, "preview"), {**shown, **changed})


def applied(client: Client, content: str = FILE) -> Import:
    one = uploaded(client, content)
    preview(client, one)
    assert client.post(page(one, "apply")).status_code == 302
    run_bulk_worker()
    one.refresh_from_db()
    return one


def text(answer: HttpResponse) -> str:
    return answer.content.decode()
