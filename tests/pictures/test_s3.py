"""Pictures in an S3-compatible bucket, with moto's server, a fake of S3."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.test import Client
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from catalog.models import Product
from commerce.picture_columns import COLUMNS
from pictures import expiry
from pictures.models import Picture
from pictures.processing import MOST_ATTEMPTS, convert
from pictures.stored_files import stored_names
from tests.contract.callers import NOBODY, importer
from tests.factories.apikeys import secret_key
from tests.factories.products import ImageFactory
from tests.factories.staff import UserFactory
from tests.operations.shop_file_runs import ShopFiles
from tests.pictures.files import PictureFactory, form, opened, picture, signed_path, stored
from tests.pictures.s3 import Bucket, bucket, get, make_unreachable, new_bucket, s3_address, use

__all__ = ["bucket", "s3_address"]
pytestmark = [pytest.mark.django_db, pytest.mark.servers("moto_server")]


def uploaded() -> dict[str, Any]:
    editor = importer(secret_key(UserFactory(permissions=["pictures.add_picture"])))
    (file,) = editor.post("/admin/uploads", **form(picture(size=(600, 300)))).json()["files"]
    return file


def names_of(row: Picture) -> list[str]:
    return sorted(f"{row.digest}{width}.webp" for width in ("", "-160", "-480", "-1200"))


def test_an_uploaded_picture_is_read_from_the_bucket_at_the_final_address(bucket: Bucket, folders: Path) -> None:
    file = uploaded()
    row = Picture.objects.get()
    assert file["url"] == f"{bucket.address}/{bucket.name}/{row.digest}.webp"
    assert get(file["url"])[0] == 404
    convert.call(picture_id=row.pk)
    assert bucket.names() == names_of(row)
    status, headers, content = get(file["url"])
    assert (status, headers["Content-Type"]) == (200, "image/webp")
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert opened(content).size == (600, 300)
    assert not (folders / "media").exists()
    assert list((folders / "uploads").iterdir()) == []


def test_paths_lead_to_the_bucket(bucket: Bucket) -> None:
    """Addresses from before the move, and those of the admin site."""
    name = f"{'ab' * 32}-480.webp"
    answer = Client().get(f"/media/{name}")
    assert (answer.status_code, answer["Location"]) == (302, f"{bucket.address}/{bucket.name}/{name}")
    assert answer["Cache-Control"] == "public, max-age=3600"
    assert Client().get("/media/other.webp").status_code == 404


def test_a_prefix_keeps_other_objects_apart(
    s3_address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = new_bucket(s3_address, prefix="shop/pictures")
    use(shared, settings, monkeypatch)
    name = f"{'ab' * 32}.webp"
    shared.client.put_object(Bucket=shared.name, Key=name, Body=b"of another program")
    default_storage.save(name, ContentFile(b"ours"))
    default_storage.save("readme.txt", ContentFile(b"no picture"))
    assert stored_names() == [name]
    assert shared.content(f"shop/pictures/{name}") == b"ours"
    assert get(PictureFactory(digest="ab" * 32).url)[2] == b"ours"
    default_storage.delete(name)
    assert shared.names() == [name, "shop/pictures/readme.txt"]


def test_a_stored_object_is_replaced(bucket: Bucket) -> None:
    name = f"{'ab' * 32}.webp"
    for content in (b"broken off", b"whole"):
        assert default_storage.save(name, ContentFile(content)) == name
    assert (bucket.names(), bucket.content(name)) == ([name], b"whole")


class TestPrune:
    @pytest.fixture(autouse=True)
    def everything_is_old(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(expiry, "LIFETIME", timedelta())

    def test_objects_go_with_their_row(self, bucket: Bucket) -> None:
        unused, used = stored(), stored()
        ImageFactory(url=used.path)
        assert expiry.discard_unnamed(COLUMNS) == 1
        assert bucket.names() == names_of(used)
        assert list(Picture.objects.all()) == [used]
        assert unused != used

    def test_objects_of_a_deleted_upload_go_immediately(
        self, bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One that was sent to an address of its own. With a failing bucket, it stays."""
        sent = NOBODY.send("PUT", signed_path(), picture(), content_type="image/png").json()["file"]
        row = Picture.objects.get()
        convert.call(picture_id=row.pk)
        assert bucket.names() == names_of(row)
        editor = importer(secret_key(UserFactory(permissions=["pictures.delete_picture"])))
        with monkeypatch.context() as meanwhile:
            make_unreachable(bucket, settings, meanwhile)
            assert editor.send("DELETE", f"/admin/uploads/{sent['id']}").status_code == 503
            assert list(Picture.objects.all()) == [row]
        use(bucket, settings, monkeypatch)
        assert editor.send("DELETE", f"/admin/uploads/{sent['id']}").status_code == 200
        assert (bucket.names(), Picture.objects.count()) == ([], 0)

    def test_a_failing_bucket_ends_it_without_an_error(
        self, bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        row = stored()
        make_unreachable(bucket, settings, monkeypatch)
        assert expiry.discard_unnamed(COLUMNS) == 0
        assert list(Picture.objects.all()) == [row]
        assert f"the files of the picture {row.pk} could not be deleted" in caplog.text


class TestAFailingBucket:
    def test_the_picture_is_stored_once_it_works_again(self, bucket: Bucket, caplog: pytest.LogCaptureFixture) -> None:
        uploaded()
        row = Picture.objects.get()
        bucket.remove()
        queued = DBTaskResult.objects.count()
        convert.call(picture_id=row.pk)
        assert DBTaskResult.objects.count() == queued  # the second attempt is queued from the beginning
        convert.call(picture_id=row.pk, attempt=2)
        row.refresh_from_db()
        assert (row.status, row.reason) == ("processing", "")
        assert caplog.text.count(f"the picture {row.pk} could not be stored") == 2
        assert f"The bucket {bucket.name} (S3_BUCKET) failed: An error occurred (NoSuchBucket)" in caplog.text
        third = DBTaskResult.objects.latest("enqueued_at")
        assert third.args_kwargs["kwargs"] == {"picture_id": row.pk, "attempt": 3}
        bucket.create()
        convert.call(picture_id=row.pk, attempt=3)
        row.refresh_from_db()
        assert (row.status, bucket.names()) == ("ready", names_of(row))

    def test_after_a_day_it_has_failed(self, bucket: Bucket, folders: Path) -> None:
        uploaded()
        row = Picture.objects.get()
        bucket.remove()
        convert.call(picture_id=row.pk, attempt=MOST_ATTEMPTS)
        row.refresh_from_db()
        assert (row.status, row.reason) == ("failed", "It could not be stored; upload it again")
        assert list((folders / "uploads").iterdir()) == []

    def test_the_check_names_the_variables(self, bucket: Bucket) -> None:
        assert warnings() == []
        bucket.remove()
        reason = "An error occurred (404) when calling the HeadBucket operation: Not Found"
        hint = "Correct S3_BUCKET, S3_ENDPOINT_URL, S3_REGION, S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY."
        assert warnings() == [
            (f"Pictures cannot be stored. The bucket {bucket.name} (S3_BUCKET) failed: {reason}", hint)
        ]


def warnings() -> list[tuple[str, str | None]]:
    reports = run_checks(include_deployment_checks=True)
    return [(report.msg, report.hint) for report in reports if report.id == "commerce.W004"]


def test_a_dump_moves_a_shop_from_a_bucket_to_another_place(
    bucket: Bucket, s3_address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = ShopFiles(tmp_path)
    (tmp_path / "front.png").write_bytes(picture())
    files.load({"products": [{"title": "Mug", "thumbnail": "front.png", "images": ["front.png"]}]})
    row = Picture.objects.get()
    convert.call(picture_id=row.pk)
    dump = tmp_path / "out" / "shop.json"
    dump.parent.mkdir()
    call_command("dump_shop", str(dump), "--media", str(dump.parent / "media"))
    (copied,) = (dump.parent / "media").iterdir()
    assert (copied.name, copied.read_bytes()) == (f"{row.digest}.webp", bucket.content(f"{row.digest}.webp"))

    Product.objects.all().delete()
    Picture.objects.all().delete()
    other = new_bucket(s3_address)
    use(other, settings, monkeypatch)
    call_command("load_shop", str(dump))
    convert.call(picture_id=Picture.objects.get().pk)
    assert other.names() == names_of(row)
    assert Product.objects.get().thumbnail == row.path


def test_a_dump_names_the_bucket_that_fails(
    bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ImageFactory(url=PictureFactory().path)
    make_unreachable(bucket, settings, monkeypatch)
    message = rf"shop.json: The bucket {bucket.name} \(S3_BUCKET\) failed: Could not connect to the endpoint URL"
    with pytest.raises(CommandError, match=message):
        call_command("dump_shop", str(tmp_path / "shop.json"), "--media", str(tmp_path))
    assert not (tmp_path / "shop.json").exists()
