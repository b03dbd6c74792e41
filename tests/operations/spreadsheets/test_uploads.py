"""The page that uploads a spreadsheet, without a browser."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from kit.server.uploads import HEAD, LIMIT
from kit.spreadsheets import files, uploads
from kit.spreadsheets.models import Import
from tests.factories.staff import UserFactory
from tests.operations.spreadsheets.pages import (
    EXPORT,
    OWN,
    UPLOAD,
    signed_in,
    text,
    upload,
    uploaded,
)

pytestmark = pytest.mark.django_db


class TestUpload:
    def test_the_head_is_accepted_with_a_limit_and_then_the_file(self, client: Client) -> None:
        answer = client.generic("POST", UPLOAD, **OWN, **{HEAD: True})
        assert (answer.status_code, int(answer[LIMIT]) - files.MOST_BYTES) == (100, 64 * 1024)
        assert uploaded(client).name == "products.csv"

    def test_who_may_not_is_refused_before_the_file(self, client: Client) -> None:
        viewer = signed_in(permissions=["catalog.view_product", "catalog.change_product"])
        assert viewer.generic("POST", UPLOAD, **OWN, **{HEAD: True}).status_code == 403
        assert viewer.get(UPLOAD).status_code == 403
        assert Client().generic("POST", UPLOAD, **OWN, **{HEAD: True}).status_code == 302
        assert client.generic("POST", UPLOAD, **{HEAD: True}).status_code == 403
        foreign = {"HTTP_ORIGIN": "https://elsewhere.example"}  # whose pages have no session
        assert client.generic("POST", UPLOAD, **foreign, **{HEAD: True}).status_code == 302
        assert client.get(UPLOAD.replace("products", "secrets")).status_code == 404
        assert client.get(EXPORT.replace("products", "secrets")).status_code == 404

    def test_the_form_needs_its_token(self) -> None:
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(UserFactory(is_superuser=True))
        assert upload(strict).status_code == 403
        assert not Import.objects.exists()

    @pytest.mark.parametrize(
        ("name", "content", "said"),
        [
            ("a.csv", b"", "The file is empty"),
            ("a.xlsx", b"PK\x03\x04", "The file is not a valid XLSX file."),
            ("a.xlsm", b"PK\x03\x04", "This kind of file cannot be imported. Save it as CSV or XLSX."),
        ],
    )
    def test_what_is_no_spreadsheet(
        self, client: Client, private_files: Path, name: str, content: bytes, said: str
    ) -> None:
        assert said in text(upload(client, content, name))
        assert (Import.objects.exists(), [*private_files.iterdir()]) == (False, [])

    def test_without_a_file(self, client: Client) -> None:
        assert "Choose one file." in text(client.post(UPLOAD, **OWN))

    def test_a_path_in_a_name_is_ignored(self, client: Client, private_files: Path) -> None:
        upload(client, name="../../../etc/passwd")
        one = Import.objects.get()
        assert (one.name, [path.name for path in private_files.iterdir()]) == ("passwd", [f"{one.pk}.csv"])

    def test_only_the_newest_that_were_not_confirmed_stay(self, client: Client, monkeypatch: Any) -> None:
        monkeypatch.setattr(uploads, "MOST_KEPT", 2)
        first, second, third = (uploaded(client) for _ in range(3))
        assert {*Import.objects.values_list("pk", flat=True)} == {second.pk, third.pk}
        assert not files.path_of(first.pk, "csv").exists()
