"""DELETE /admin/uploads/{id}."""

from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.db import connection

from pictures import expiry
from pictures.finding import usable_address
from pictures.models import Picture, PresignedUpload
from tests.contract.callers import Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.staff import UserFactory
from tests.pictures.files import PictureFactory, stored
from tests.pictures.test_expiry import NAMING

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor() -> Caller:
    return importer(secret_key(UserFactory(permissions=["pictures.delete_picture"])))


def files(folders: Path) -> list[str]:
    return [path.name for path in (folders / "media").iterdir()]


def test_the_picture_and_its_files_are_gone(editor: Caller, folders: Path) -> None:
    row, other = stored(), stored()
    answer = editor.send("DELETE", f"/admin/uploads/{row.pk}")
    assert (answer.status_code, answer.json()) == (200, {"id": row.pk, "object": "file", "deleted": True})
    assert list(Picture.objects.all()) == [other]
    assert len(files(folders)) == 4
    assert refusal(editor.send("DELETE", f"/admin/uploads/{row.pk}")) == (404, f"File with id: {row.pk} was not found")


def test_it_goes_by_the_name_of_its_address_too(editor: Caller, folders: Path) -> None:
    upload = PresignedUpload.objects.create(picture=stored())
    answer = editor.send("DELETE", f"/admin/uploads/{upload.pk}").json()
    assert answer == {"id": upload.pk, "object": "file", "deleted": True}
    assert (Picture.objects.count(), files(folders)) == (0, [])
    assert PresignedUpload.objects.get().picture is None  # the address stays used


def test_a_failed_one_leaves_no_original(editor: Caller, folders: Path) -> None:
    row = PictureFactory(status="failed", reason="It is animated")
    (folders / "uploads").mkdir()
    (folders / "uploads" / f"{row.digest}.original").touch()
    assert editor.send("DELETE", f"/admin/uploads/{row.pk}").status_code == 200
    assert list((folders / "uploads").iterdir()) == []


@pytest.mark.parametrize("naming", NAMING)
def test_one_that_something_names_is_refused(editor: Caller, folders: Path, naming: str) -> None:
    row = stored()
    NAMING[naming](f"https://old.example/p/{row.digest}-480.webp")
    expected = "The file is used, for example by a product, a cart or an order"
    assert refusal(editor.send("DELETE", f"/admin/uploads/{row.pk}")) == (400, expected)
    assert (Picture.objects.count(), len(files(folders))) == (1, 4)


def test_one_that_is_attached_while_its_names_are_looked_for_stays(
    editor: Caller, folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The large tables are read before anything is locked."""
    row, locked = stored(), []

    def attach(*_: object) -> bool:
        locked.extend(connection.savepoint_ids)
        usable_address(row.path)
        return False

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(expiry, "is_named", attach)
        answer = editor.send("DELETE", f"/admin/uploads/{row.pk}")
    assert (answer.status_code, locked) == (409, [])
    assert (list(Picture.objects.all()), len(files(folders))) == ([row], 4)
    assert editor.send("DELETE", f"/admin/uploads/{row.pk}").status_code == 200


def test_one_that_is_being_converted_is_refused(editor: Caller) -> None:
    row = PictureFactory(status="processing")
    expected = "The file is being converted. Delete it once it is ready"
    assert refusal(editor.send("DELETE", f"/admin/uploads/{row.pk}")) == (400, expected)


def test_it_stays_if_the_storage_fails(editor: Caller, folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = stored()

    def fail(_: str) -> None:
        raise OSError("The bucket failed")

    monkeypatch.setattr(default_storage, "delete", fail)
    answer = editor.send("DELETE", f"/admin/uploads/{row.pk}")
    assert refusal(answer) == (503, "The storage of pictures cannot be reached. Try again later")
    assert (list(Picture.objects.all()), len(files(folders))) == ([row], 4)
