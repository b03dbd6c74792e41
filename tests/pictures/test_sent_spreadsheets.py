"""Who may import spreadsheets may send one to a presigned address, but no picture."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from catalog.models import Product
from staff.models import User
from tests.contract.callers import NOBODY, Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.pictures.files import picture

pytestmark = pytest.mark.django_db
URLS = "/admin/uploads/presigned-urls"
FILE = b"Product Handle,Product Title\r\nmug,Mug\r\n"
CSV = {"originalname": "products.csv", "mime_type": "text/csv", "size": len(FILE)}
MUG = {"originalname": "mug.png", "mime_type": "image/png", "size": len(picture())}
CLOSED = (404, "This address takes no file: it is altered, expired or used. Ask for a new one")


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")


@pytest.fixture
def user() -> User:
    return UserFactory(permissions=["catalog.add_product", "catalog.change_product"])


@pytest.fixture
def program(user: User) -> Caller:
    return importer(secret_key(user))


def path_of(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    return urlsplit(answer.json()["url"]).path


def test_the_file_is_sent_and_imported(program: Caller) -> None:
    answer = program.post(URLS, CSV)
    assert NOBODY.send("PUT", path_of(answer), FILE, content_type="text/csv").status_code == 200
    body = {"file_key": answer.json()["filename"], "originalname": "products.csv"}
    previewed = program.post("/admin/products/imports", body).json()
    assert (previewed["summary"], Product.objects.exists()) == ({"toCreate": 1, "toUpdate": 0}, False)


@pytest.mark.parametrize("kind", ["text/csv", "application/vnd.ms-excel"])
def test_of_each_type_of_spreadsheet_and_no_other(program: Caller, kind: str) -> None:
    assert program.post(URLS, {**CSV, "mime_type": kind}).status_code == 200
    assert refusal(program.post(URLS, MUG)) == (403, "The permission 'pictures.add_picture' is required")


@pytest.mark.parametrize("asked", [CSV, MUG])
def test_half_of_the_permissions_is_none(asked: dict[str, Any]) -> None:
    program = importer(secret_key(UserFactory(permissions=["catalog.change_product", "catalog.view_product"])))
    assert refusal(program.post(URLS, asked)) == (403, "The permission 'pictures.add_picture' is required")


def test_a_limited_key_sends_within_its_limit(user: User) -> None:
    program = importer(secret_key(user, permissions=["catalog.change_product"]))
    assert program.post(URLS, CSV).status_code == 403


def test_its_address_is_closed_once_the_user_may_not_import(program: Caller, user: User) -> None:
    path = path_of(program.post(URLS, CSV))
    user.user_permissions.clear()
    assert refusal(NOBODY.send("PUT", path, FILE, content_type="text/csv")) == CLOSED
