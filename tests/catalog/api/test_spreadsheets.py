"""Imports and exports as programs start them: what the SDK's product.import, createImport, confirmImport, export do."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from catalog.api.admin import spreadsheets
from catalog.models import Product
from kit.errors import InvalidData
from kit.jobs.models import Job
from kit.server.uploads import HEAD, LIMIT
from kit.spreadsheets import files, sent_files
from kit.spreadsheets.models import Import
from kit.values.timestamps import now
from staff.models import User
from tests.catalog.spreadsheets.importing import lines
from tests.catalog.spreadsheets.test_medusa_template import HEADER, MUG, SHIRTS
from tests.contract.callers import NOBODY, Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.products import ProductFactory
from tests.factories.staff import UserFactory
from tests.kit.jobs.bulk_worker import run_bulk_worker

pytestmark = pytest.mark.django_db
IMPORTING = ("catalog.add_product", "catalog.change_product", "catalog.view_product", "pictures.add_picture")
FILE = lines(HEADER, MUG, *SHIRTS).encode()
PROBLEM = lines(HEADER, MUG, SHIRTS[0].replace("draft", "sold")).encode()
GONE = (404, "No file was sent under this 'file_key', or it was deleted. Send it again")


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> Path:
    settings.EXPORT_DIR, settings.UPLOAD_DIR = str(tmp_path / "exports"), str(tmp_path / "uploads")
    return tmp_path / "exports" / "spreadsheets"


@pytest.fixture
def user() -> User:
    return UserFactory(permissions=IMPORTING)


@pytest.fixture
def program(user: User) -> Caller:
    return importer(secret_key(user))


@pytest.fixture
def other() -> Caller:
    return importer(secret_key(UserFactory(permissions=IMPORTING)))


def form(content: bytes, *, field: str = "file", name: str = "../../etc/products.csv") -> dict[str, Any]:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'.encode()
    return {"body": head + content + f"\r\n--{BOUNDARY}--\r\n".encode(), "content_type": MULTIPART_CONTENT}


def sent(program: Caller, content: bytes = FILE, mime_type: str = "text/csv") -> dict[str, Any]:
    """What the SDK's createImport sends last, once the file lies at its address."""
    asked = {"originalname": "products.csv", "mime_type": mime_type, "size": len(content)}
    address = program.post("/admin/uploads/presigned-urls", asked).json()
    path = urlsplit(address.pop("url")).path
    assert NOBODY.send("PUT", path, content, content_type=mime_type).status_code == 200
    return {"file_key": address.pop("filename"), **address}


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


def test_a_file_that_was_sent_before_is_previewed_once(program: Caller, private_files: Path) -> None:
    body = sent(program)
    answer = program.post("/admin/products/imports", body).json()
    assert answer["summary"] == {"toCreate": 2, "toUpdate": 0}
    assert {path.suffix for path in private_files.iterdir()} == {".csv", ".plan"}
    assert refusal(program.post("/admin/products/imports", body)) == GONE


def test_nobody_else_imports_the_file_that_was_sent(program: Caller, other: Caller, user: User) -> None:
    body = sent(program)
    for caller, key in ((other, body["file_key"]), (program, f"../{user.pk}-{body['file_key']}"), (program, "*")):
        assert refusal(caller.post("/admin/products/imports", {**body, "file_key": key})) == GONE
    assert program.post("/admin/products/imports", body).status_code == 200


def test_a_file_that_was_sent_is_previewed_by_one_request_at_a_time(
    program: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, answers = sent(program), []

    def meanwhile(*_: Any, **__: Any) -> None:
        answers.append(refusal(program.post("/admin/products/imports", body)))
        raise InvalidData("The file is empty")

    monkeypatch.setattr(spreadsheets, "preview", meanwhile)
    assert refusal(program.post("/admin/products/imports", body)) == (400, "The file is empty")
    assert answers == [GONE]
    monkeypatch.undo()
    assert program.post("/admin/products/imports", body).status_code == 200


def test_files_of_many_rows_are_left_to_jobs(program: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheets, "MOST_ROWS_AT_ONCE", 2)
    message = "The file has more than 2 rows. Split it."
    assert refusal(program.post("/admin/products/import", **form(FILE))) == (400, message)


def test_of_the_files_that_were_sent_only_the_newest_wait(program: Caller, private_files: Path) -> None:
    bodies = [sent(program) for _ in range(sent_files.MOST + 1)]
    assert len([*private_files.glob("*.sent")]) == sent_files.MOST
    assert refusal(program.post("/admin/products/imports", bodies[0])) == GONE


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
def test_what_is_no_import(program: Caller, sending: dict[str, Any], message: str) -> None:
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
        assert refusal(answer) == (400, "The file is larger than 0 MB: import it on the admin site, or split it")
    meta = {HEAD: True, "HTTP_AUTHORIZATION": program.headers["Authorization"], "CONTENT_TYPE": MULTIPART_CONTENT}
    assert Client().generic("POST", "/admin/products/import", **meta)[LIMIT] == str((16 * 1024 + 64) * 1024)
    wide = {"originalname": "a.png", "mime_type": "image/png", "size": 20 * 1024**2 + 1}
    assert program.post("/admin/uploads/presigned-urls", wide).status_code == 400
    spreadsheet = {"originalname": "a.csv", "mime_type": "text/csv", "size": files.MOST_BYTES + 1}
    assert program.post("/admin/uploads/presigned-urls", spreadsheet).status_code == 400


def test_a_spreadsheet_of_another_size_is_refused(program: Caller, private_files: Path) -> None:
    asked = {"originalname": "products.csv", "mime_type": "text/csv", "size": 5}
    path = urlsplit(program.post("/admin/uploads/presigned-urls", asked).json()["url"]).path
    message = "The file must have the 5 bytes that the address was made for"
    assert refusal(NOBODY.send("PUT", path, FILE, content_type="text/csv")) == (400, message)
    assert not private_files.exists() or not [*private_files.iterdir()]


@pytest.mark.django_db(transaction=True)
def test_an_export_has_what_meets_the_filters(program: Caller, user: User) -> None:
    ProductFactory(handle="mug", status="draft")
    ProductFactory(handle="cup", status="published")
    for query, handles in (
        ("limit=1&offset=0&order=-created_at&fields=id", {"mug", "cup"}),
        ("status=draft", {"mug"}),
        ("status=draft&handle=cup", set()),
    ):
        job = Job.objects.get(pk=program.post("/admin/products/export", {}, query=query).json()["transaction_id"])
        run_bulk_worker()
        text = files.path_of(job.pk, "csv").read_text("utf-8-sig")
        assert {row.split(",")[1] for row in text.splitlines()[1:]} == handles, query
    status, message = refusal(program.post("/admin/products/export", {}, query="status=sold"))
    assert (status, "'status'" in message) == (400, True)


def test_two_exports_may_be_unfinished(program: Caller) -> None:
    answers = [program.post("/admin/products/export", {}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 400]
    message = "You already have 2 unfinished exports. Wait until one of them has finished."
    assert refusal(answers[2]) == (400, message)
