"""POST /admin/uploads: what it takes, from whom, and what it answers."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django_tasks_db.models import DBTaskResult

from pictures import receiving
from pictures.models import Picture
from tests.contract.callers import NOBODY, Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.pictures.files import form, picture

pytestmark = pytest.mark.django_db
PATH = "/admin/uploads"
NO_PICTURE = "Invalid request: Field 'files[{}]' is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected"


@pytest.fixture
def editor() -> Caller:
    return importer(secret_key(UserFactory(permissions=["pictures.add_picture", "pictures.view_picture"])))


@pytest.fixture
def browser() -> Client:
    user = UserFactory(permissions=["pictures.add_picture"])
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def originals(folders: Path) -> list[str]:
    return sorted(path.name for path in (folders / "uploads").iterdir())


def test_files_are_kept_and_answered_in_their_order(editor: Caller, folders: Path, settings: Any) -> None:
    settings.PUBLIC_URL = "https://api.shop.example"
    files = [picture("JPEG"), picture("PNG")]
    answer = editor.post(PATH, **form(*files))
    digests = [sha256(file).hexdigest() for file in files]
    rows = {row.digest: row for row in Picture.objects.all()}
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "files": [
                {
                    "id": rows[digest].pk,
                    "url": f"https://api.shop.example/media/{digest}.webp",
                    "status": "processing",
                }
                for digest in digests
            ]
        },
    )
    assert originals(folders) == sorted(f"{digest}.original" for digest in digests)
    assert {row.size for row in rows.values()} == set(map(len, files))


def test_addresses_stand_on_media_url_where_that_is_absolute(editor: Caller, settings: Any) -> None:
    settings.MEDIA_URL = "https://cdn.shop.example/pictures/"
    file = picture()
    (answered,) = editor.post(PATH, **form(file)).json()["files"]
    assert answered["url"] == f"https://cdn.shop.example/pictures/{sha256(file).hexdigest()}.webp"


def test_the_same_bytes_are_one_picture(editor: Caller, folders: Path) -> None:
    first = editor.post(PATH, **form(picture(), picture())).json()["files"]
    again = editor.post(PATH, **form(picture())).json()["files"]
    assert first == [first[0], first[0]]
    assert again == first[:1]
    assert Picture.objects.count() == len(originals(folders)) == 1


def test_its_state_can_be_read(editor: Caller) -> None:
    (made,) = editor.post(PATH, **form(picture())).json()["files"]
    seen = editor.get(f"{PATH}/{made['id']}").json()["file"]
    assert {**made, "reason": None, "size": len(picture())} == {key: seen[key] for key in seen if key != "created_at"}
    assert refusal(editor.get(f"{PATH}/file_1")) == (404, "File with id: file_1 was not found")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ((), "Invalid request: Field 'files' is required: choose at least one file"),
        ((b"",), NO_PICTURE.format(0)),
        ((picture(), b"<svg onload='alert(1)'/>"), NO_PICTURE.format(1)),
        ((picture("BMP"),), NO_PICTURE.format(0)),
        ((picture(),) * 11, "Invalid request: Field 'files' has 11 files, at most 10 are allowed"),
    ],
    ids=["none", "empty", "svg", "bmp", "eleven"],
)  # fmt: skip
def test_what_is_refused_leaves_nothing(editor: Caller, folders: Path, files: tuple[bytes, ...], message: str) -> None:
    assert refusal(editor.post(PATH, **form(*files))) == (400, message)
    assert originals(folders) == []
    assert not Picture.objects.exists()
    assert not DBTaskResult.objects.exists()


def test_a_file_above_the_limit_is_refused(editor: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(receiving, "LARGEST_FILE", len(picture()) - 1)
    status, message = refusal(editor.post(PATH, **form(picture())))
    assert (status, message) == (400, "Invalid request: Field 'files[0]' is larger than 0 MiB")


def test_the_limit_is_twenty_mebibytes(editor: Caller) -> None:
    """A PNG may have anything behind its end."""
    whole = picture() + b"\0" * (20 * 1024 * 1024 - len(picture()))
    assert editor.post(PATH, **form(whole)).status_code == 200
    assert refusal(editor.post(PATH, **form(whole + b"\0"))) == (
        400,
        "Invalid request: Field 'files[0]' is larger than 20 MiB",
    )


def test_another_field_is_refused(editor: Caller) -> None:
    assert refusal(editor.post(PATH, **form(picture(), field="file"))) == (
        400,
        "Invalid request: Unrecognized fields: 'file'",
    )


@pytest.mark.parametrize("body", [b"--x", b"--BoUnDaRyStRiNg\r\nnothing"])
def test_a_malformed_form_is_refused(editor: Caller, body: bytes) -> None:
    assert editor.post(PATH, body, content_type="multipart/form-data; boundary=BoUnDaRyStRiNg").status_code == 400
    assert editor.post(PATH, body, content_type="multipart/form-data").status_code == 400


def test_another_content_type_is_refused(editor: Caller) -> None:
    assert refusal(editor.post(PATH, {})) == (415, "The Content-Type of the body must be multipart/form-data")


def test_the_permission_is_required(editor: Caller) -> None:
    other = importer(secret_key(UserFactory(permissions=["pictures.view_picture"])))
    assert refusal(other.post(PATH, **form(picture()))) == (403, "The permission 'pictures.add_picture' is required")
    assert NOBODY.post(PATH, **form(picture())).status_code == 401


@pytest.mark.parametrize(
    ("origin", "status", "message"),
    [
        ("http://testserver", 200, None),
        ("https://backoffice.example", 200, None),
        ("https://evil.example", 403, "The Origin of the request is not allowed"),
        (None, 403, "Uploading files with a session cookie requires an Origin"),
    ],
)
def test_a_session_needs_an_origin_for_staff(
    browser: Client, settings: Any, origin: str | None, status: int, message: str | None
) -> None:
    settings.ADMIN_CORS_ORIGINS = ["https://backoffice.example"]
    sent = form(picture())
    headers = {"Origin": origin} if origin else {}
    answer = browser.generic("POST", PATH, sent["body"], sent["content_type"], headers=headers)
    assert (answer.status_code, answer.json().get("message")) == (status, message)


def test_a_failed_picture_is_tried_again(editor: Caller) -> None:
    editor.post(PATH, **form(picture()))
    Picture.objects.update(status="failed", reason="It cannot be decoded")
    (again,) = editor.post(PATH, **form(picture())).json()["files"]
    assert again["status"] == "processing"
