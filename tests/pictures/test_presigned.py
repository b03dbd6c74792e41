"""Addresses that take one file each: what is signed, and what a stranger gets from one."""

import time
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client
from django_tasks_db.models import DBTaskResult
from psycopg.errors import DeadlockDetected

from commerce.operations.pruning import prune
from kit.errors import Conflict
from kit.observability.logs import masking
from kit.server.uploads import ACCEPTED, HEAD, LIMIT
from kit.values.timestamps import now
from pictures import processing
from pictures.models import Picture, PresignedUpload
from staff.models import User
from tests.contract.callers import NOBODY, Caller, importer, invalid, refusal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.pictures.files import form, kept, picture, signed_path

pytestmark = pytest.mark.django_db
URLS = "/admin/uploads/presigned-urls"
MUG = {"originalname": "mug.png", "mime_type": "image/png", "size": len(picture())}
TYPES = (
    *("image/jpeg", "image/png", "image/webp", "image/avif", "image/gif", "text/csv", "application/vnd.ms-excel"),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
CLOSED = (404, "This address takes no file: it is altered, expired or used. Ask for a new one")


@pytest.fixture
def user() -> User:
    return UserFactory(permissions=["pictures.add_picture", "pictures.view_picture"])


@pytest.fixture
def editor(user: User) -> Caller:
    return importer(secret_key(user))


def put(path: str, content: bytes | None = None) -> HttpResponse:
    return NOBODY.send("PUT", path, picture() if content is None else content, content_type="image/png")


def asks(path: str) -> HttpResponse:
    """The front's question whether a body may come."""
    return Client().generic("PUT", path, **{HEAD: True})


def test_it_is_asked_for_and_used(editor: Caller, user: User, folders: Path, settings: Any) -> None:
    settings.PUBLIC_URL = "https://api.shop.example"
    answer = editor.post(URLS, {**MUG, "access": "public"}).json()
    url, name = answer.pop("url"), answer.pop("filename")
    assert answer == {"originalname": "mug.png", "mime_type": "image/png", "extension": "png", "size": len(picture())}
    assert url.startswith("https://api.shop.example/uploads/")
    assert (Picture.objects.count(), PresignedUpload.objects.count(), kept(folders)) == (0, 0, [])
    sent = put(url.removeprefix("https://api.shop.example"))
    digest, row = sha256(picture()).hexdigest(), Picture.objects.get()
    shown = {"id": row.pk, "url": f"https://api.shop.example/media/{digest}.webp", "status": "processing"}
    assert (sent.status_code, sent.json(), sent["Cache-Control"]) == (200, {"file": shown}, "no-store")
    assert (row.digest, row.size, row.created_by_id) == (digest, len(picture()), user.pk)
    assert kept(folders) == [f"{digest}.original"]
    found = editor.get(f"/admin/uploads/{name}").json()["file"]
    assert shown.items() <= found.items()


def test_without_a_public_url_the_address_is_that_of_the_request(editor: Caller, settings: Any) -> None:
    settings.PUBLIC_URL = ""
    assert editor.post(URLS, MUG).json()["url"].startswith("http://testserver/uploads/")


def test_it_is_used_once(folders: Path) -> None:
    path = signed_path()
    assert put(path).status_code == 200
    before = kept(folders)
    for content in (picture(), b"x" * len(picture()), b""):
        assert refusal(put(path, content)) == CLOSED
    assert (kept(folders), Picture.objects.count()) == (before, 1)
    assert asks(path).status_code == 404


def test_of_two_bodies_that_arrive_at_a_time_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    path = signed_path()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(PresignedUpload.objects, "filter", lambda **_: PresignedUpload.objects.none())
        assert put(path).status_code == 200
        assert refusal(put(path)) == (404, "This address has been used. Ask for a new one")
    assert Picture.objects.count() == 1


def test_one_that_meets_a_lock_takes_the_file_again(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is left of the file meanwhile."""
    path = signed_path()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("pictures.processing.schedule", Mock(side_effect=Conflict))
        assert put(path).status_code == 409
    assert (kept(folders), PresignedUpload.objects.count(), Picture.objects.count()) == ([], 0, 0)
    assert put(path).status_code == 200
    assert kept(folders) == [f"{sha256(picture()).hexdigest()}.original"]


@pytest.mark.django_db(transaction=True)
def test_after_a_deadlock_the_file_that_was_received_is_taken(
    editor: Caller, folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its body cannot be read a second time."""
    for send in (lambda: put(signed_path()), lambda: editor.post("/admin/uploads", **form(picture("JPEG")))):
        refused, schedule = iter([deadlock()]), processing.schedule

        def refuse_once(row: Picture, refused: Any = refused, schedule: Any = schedule) -> None:
            for error in refused:
                raise error
            schedule(row)

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr("pictures.processing.schedule", refuse_once)
            assert send().status_code == 200
    digests = {sha256(picture(kind)).hexdigest() for kind in ("PNG", "JPEG")}
    assert set(Picture.objects.values_list("digest", flat=True)) == digests
    assert kept(folders) == sorted(f"{digest}.original" for digest in digests)


def deadlock() -> OperationalError:
    error = OperationalError("deadlock detected")
    error.__cause__ = DeadlockDetected()
    return error


@pytest.mark.parametrize(("minutes", "status"), [(14, 200), (16, 404)])
def test_it_expires_after_a_quarter_of_an_hour(monkeypatch: pytest.MonkeyPatch, minutes: int, status: int) -> None:
    path, present = signed_path(), time.time()
    monkeypatch.setattr(signing.time, "time", lambda: present + 60 * minutes)
    assert put(path).status_code == status


def test_altered_ones_cost_no_statement(django_assert_num_queries: Any, folders: Path) -> None:
    path = signed_path()
    token = path.removeprefix("/uploads/")
    object_, stamp, signature = token.split(".")
    other = signed_path(5).removeprefix("/uploads/").split(".")[0]
    foreign = signing.TimestampSigner(salt="other", sep=".").sign_object({"id": "file_1", "size": 5, "user_id": "x"})
    with django_assert_num_queries(0):
        for altered in (
            "x", "...", f"{other}.{stamp}.{signature}", f"{object_}.{stamp}Z.{signature}", f"{token}x", token[1:],
            foreign, "é", "x" * 5000,
        ):  # fmt: skip
            assert refusal(put(f"/uploads/{altered}")) == CLOSED, altered
    assert kept(folders) == []


def test_one_whose_user_may_not_upload_any_more_is_closed(user: User) -> None:
    paths = [signed_path(by=user) for _ in range(2)]
    user.user_permissions.clear()
    assert refusal(put(paths[0])) == CLOSED
    User.objects.filter(pk=user.pk).update(is_active=False, is_superuser=True)
    assert refusal(put(paths[1])) == CLOSED


@pytest.mark.parametrize("length", [0, -1, 1])
def test_a_file_of_another_size_is_refused(folders: Path, length: int) -> None:
    path, size = signed_path(), len(picture())
    content = (picture() + b"\0")[: size + length] if length else b""
    expected = f"The file must have the {size} bytes that the address was made for"
    assert refusal(put(path, content)) == (400, expected)
    assert refusal(put(path)) == CLOSED
    assert (kept(folders), Picture.objects.count(), DBTaskResult.objects.count()) == ([], 0, 0)


def test_no_more_of_a_larger_one_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no front has cut it off."""
    read = []
    monkeypatch.setattr("pictures.presigned.fault", lambda file, size: read.append(size) or "is read")
    monkeypatch.setattr("kit.rest.requests.multipart._CHUNK", 10)
    path = signed_path(25)
    assert put(path, b"x" * 10_000).status_code == 400
    assert refusal(put(signed_path(25), b"x" * 25)) == (400, "The file is read")
    assert read == [25]


def test_what_is_no_picture_is_refused_and_leaves_nothing(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"<svg onload='alert(1)'/>"
    path = signed_path(len(content))
    expected = "The file is not a picture: JPEG, PNG, WebP, AVIF or GIF is expected"
    assert refusal(put(path, content)) == (400, expected)
    assert refusal(put(path, content)) == CLOSED
    assert (kept(folders), Picture.objects.count()) == ([], 0)
    assert dict(prune())["refused uploads"] == 0
    monkeypatch.setattr("pictures.presigned.now", lambda: now() + timedelta(minutes=16))
    assert dict(prune())["refused uploads"] == 1
    assert not PresignedUpload.objects.exists()


def test_the_same_bytes_are_one_picture(editor: Caller) -> None:
    (first,) = editor.post("/admin/uploads", **form(picture())).json()["files"]
    answer = editor.post(URLS, MUG).json()
    assert put(urlsplit(answer["url"]).path).json() == {"file": first}
    assert editor.get(f"/admin/uploads/{answer['filename']}").json()["file"]["id"] == first["id"]
    Picture.objects.all().delete()
    assert refusal(editor.get(f"/admin/uploads/{answer['filename']}"))[0] == 404
    assert PresignedUpload.objects.get().picture is None  # its address stays used


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"originalname": ""}, "Value for field 'originalname' must not be empty"),
        ({"mime_type": "text/html"}, f"Expected: '{', '.join(TYPES)}' for field 'mime_type', but got: 'text/html'"),
        ({"size": 0}, "Value for field 'size' too small, expected at least: '1'"),
        ({"size": 20 * 1024**2 + 1}, "Value for field 'size' too big, expected at most: '20971520'"),
        ({"access": "private"}, "Expected: 'public' for field 'access', but got: 'private'"),
    ],
    ids=["name", "type", "no bytes", "too many bytes", "private"],
)  # fmt: skip
def test_what_cannot_be_uploaded_gets_no_address(editor: Caller, change: dict[str, Any], message: str) -> None:
    assert refusal(editor.post(URLS, {**MUG, **change})) == invalid(message)


def test_the_front_asks_before_the_file_comes() -> None:
    """And it takes no more bytes than were signed."""
    answer = asks(signed_path(1234))
    assert (answer.status_code, answer[LIMIT]) == (ACCEPTED, "1234")
    assert asks("/uploads/x").status_code == 404


@pytest.mark.parametrize(
    ("origin", "allowed"), [("https://backoffice.example", True), ("https://storefront.example", False)]
)
def test_pages_for_staff_may_send_it_from_another_origin(settings: Any, origin: str, allowed: bool) -> None:
    settings.ADMIN_CORS_ORIGINS = ["https://backoffice.example"]
    settings.CORS_ALLOWED_ORIGINS = ["https://storefront.example"]
    headers = {
        "Origin": origin,
        "Access-Control-Request-Method": "PUT",
        "Access-Control-Request-Headers": "content-type",
    }
    answer = Client().options(signed_path(), headers=headers)
    assert answer.get("Access-Control-Allow-Origin") == (origin if allowed else None)
    if allowed:
        assert "PUT" in answer["Access-Control-Allow-Methods"]
        assert "content-type" in answer["Access-Control-Allow-Headers"]


def test_logs_do_not_have_it(settings: Any) -> None:
    token = signed_path().removeprefix("/uploads/")
    for name in ("path", "event"):
        masked = masking(settings.SECRETS)(None, "", {name: f"PUT /uploads/{token}"})
        assert masked == {name: f"PUT /uploads/…{token[-4:]}"}
