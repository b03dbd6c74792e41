"""Files that programs send ahead of the import that takes them: the SDK's product.createImport."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from catalog.api.admin import spreadsheets
from kit.errors import InvalidData
from kit.spreadsheets import sent_files
from staff.models import User
from tests.catalog.api.spreadsheets.sending import FILE, sent
from tests.contract.callers import NOBODY, Caller, refusal

pytestmark = pytest.mark.django_db
GONE = (404, "No file was sent under this 'file_key', or it was deleted. Send it again.")


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


def test_of_the_files_that_were_sent_only_the_newest_wait(program: Caller, private_files: Path) -> None:
    bodies = [sent(program) for _ in range(sent_files.MOST + 1)]
    assert len([*private_files.glob("*.sent")]) == sent_files.MOST
    assert refusal(program.post("/admin/products/imports", bodies[0])) == GONE


def test_a_spreadsheet_of_another_size_is_refused(program: Caller, private_files: Path) -> None:
    asked = {"originalname": "products.csv", "mime_type": "text/csv", "size": 5}
    path = urlsplit(program.post("/admin/uploads/presigned-urls", asked).json()["url"]).path
    message = "The file must have the 5 bytes that the address was made for"
    assert refusal(NOBODY.send("PUT", path, FILE, content_type="text/csv")) == (400, message)
    assert not private_files.exists() or not [*private_files.iterdir()]
