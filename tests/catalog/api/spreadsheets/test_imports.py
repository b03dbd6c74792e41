"""Imports as programs start them: what the SDK's product.import, createImport and confirmImport do."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from catalog.api.admin import spreadsheets
from catalog.models import Product
from kit.jobs.models import Job
from kit.server.uploads import HEAD, LIMIT
from kit.spreadsheets import files
from kit.spreadsheets.models import Import
from kit.values.timestamps import now
from tests.catalog.api.spreadsheets.sending import FILE, IMPORTING, form, sent
from tests.catalog.spreadsheets.importing import lines
from tests.catalog.spreadsheets.test_medusa_template import HEADER, MUG, SHIRTS
from tests.contract.callers import Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = pytest.mark.django_db
PROBLEM = lines(HEADER, MUG, SHIRTS[0].replace("draft", "sold")).encode()


@pytest.mark.django_db(transaction=True)
def test_a_file_is_previewed_confirmed_and_applied() -> None:
    program = importer(secret_key(UserFactory(is_superuser=True)))
    answer = program.post("/admin/products/import", **form(PROBLEM)).json()
    one = Import.objects.get()
    problem = {"row": 3, "column": "Product Status"}
    message = "'sold' is not a status. Enter draft, proposed, published or rejected."
    assert answer == {
        "transaction_id": one.pk,
        "summary": {"toCreate": 1, "toUpdate": 0},
        "problems": [{**problem, "message": message}],
    }
    assert (one.name, Product.objects.exists()) == ("products.csv", False)
    confirmed = program.post(f"/admin/products/imports/{one.pk}/confirm", {})
    assert (confirmed.status_code, confirmed.json()) == (200, {"transaction_id": Job.objects.get().pk})
    run_bulk_worker()
    assert [*Product.objects.values_list("handle", flat=True)] == ["mug"]


def test_files_of_many_rows_are_left_to_jobs(program: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "MOST_ROWS_AT_ONCE", 2)
    message = "The file has more than 2 rows. Split it."
    assert refusal(program.post("/admin/products/import", **form(FILE))) == (400, message)


def test_an_import_is_confirmed_once(program: Caller) -> None:
    key = program.post("/admin/products/import", **form(FILE)).json()["transaction_id"]
    path = f"/admin/products/imports/{key}/confirm"
    answers = [program.post(path, {}, idempotency_key="confirm-once").json() for _ in range(2)]
    assert answers[0] == answers[1] == {"transaction_id": Job.objects.get().pk}
    message = "The import has changed since its preview. Preview it again."
    assert refusal(program.post(path, {})) == (400, message)


def test_nobody_else_confirms_it_and_nobody_after_a_day(program: Caller, other: Caller) -> None:
    key = program.post("/admin/products/import", **form(FILE)).json()["transaction_id"]
    path, gone = f"/admin/products/imports/{key}/confirm", (404, f"Import with id: {key} was not found")
    assert refusal(other.post(path, {})) == gone
    Import.objects.update(created_at=now() - timedelta(hours=24))
    assert refusal(program.post(path, {})) == gone
    assert not Job.objects.exists()


@pytest.mark.parametrize("lacking", ["catalog.add_product", "catalog.change_product"])
def test_both_permissions_are_needed(lacking: str) -> None:
    caller = importer(secret_key(UserFactory(permissions=[one for one in IMPORTING if one != lacking])))
    for answer in (
        caller.post("/admin/products/import", **form(FILE)),
        caller.post("/admin/products/imports", sent(caller)),
    ):
        assert refusal(answer) == (403, f"The permission '{lacking}' is required")
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("sending", "message"),
    [
        (form(FILE, field="files"), "Invalid request: Unrecognized fields: 'files'"),
        ({"body": encode_multipart(BOUNDARY, {}), "content_type": MULTIPART_CONTENT}, "Field 'file' must be one file"),
        (form(b""), "The file is empty"),
        (form(b"PK\x03\x04 no archive"), "The file is not a valid XLSX file."),
        (form(FILE, name="macros.xlsm"), "This kind of file cannot be imported. Save it as CSV or XLSX."),
        (form(b"\0\1\2\3"), "The file is neither CSV nor XLSX. Save it as one of them."),
        (form(HEADER.encode()), "The file has headers but no rows."),
    ],
)
def test_invalid_files_are_refused(program: Caller, sending: dict[str, Any], message: str) -> None:
    status, said = refusal(program.post("/admin/products/import", **sending))
    assert (status, message in said) == (400, True), said
    assert not Product.objects.exists()


def test_the_query_chooses_for_the_whole_file(program: Caller) -> None:
    program.post("/admin/products/import", query="stock=set&currency_code=eur", **form(FILE))
    assert Import.objects.get().options == {"stock": "set", "currency_code": "eur"}
    for query, message in (
        ("stock=some", "Field 'stock': 'some' is not known"),
        ("stock[]=set&stock[]=leave", "Invalid request: Field 'stock' must be a single text"),
        ("color=red", "Invalid request: Unrecognized fields: 'color'"),
    ):
        assert refusal(program.post("/admin/products/import", query=query, **form(FILE))) == (400, message)


def test_large_files_are_refused_before_they_are_read(
    program: Caller, monkeypatch: pytest.MonkeyPatch, private_files: Path
) -> None:
    monkeypatch.setattr(spreadsheets, "MOST_AT_ONCE", len(FILE) - 1)
    for answer in (
        program.post("/admin/products/import", **form(FILE)),
        program.post("/admin/products/imports", sent(program)),
    ):
        assert refusal(answer) == (400, "The file is larger than 0 MB: import it on the admin site, or split it.")
    meta = {HEAD: True, "HTTP_AUTHORIZATION": program.headers["Authorization"], "CONTENT_TYPE": MULTIPART_CONTENT}
    assert Client().generic("POST", "/admin/products/import", **meta)[LIMIT] == str((16 * 1024 + 64) * 1024)
    wide = {"originalname": "a.png", "mime_type": "image/png", "size": 20 * 1024**2 + 1}
    assert program.post("/admin/uploads/presigned-urls", wide).status_code == 400
    spreadsheet = {"originalname": "a.csv", "mime_type": "text/csv", "size": files.MOST_BYTES + 1}
    assert program.post("/admin/uploads/presigned-urls", spreadsheet).status_code == 400
