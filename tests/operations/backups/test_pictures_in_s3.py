"""Backups of a shop whose pictures are in a bucket of moto's server, a fake of S3."""

from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from pictures.models import Picture
from pictures.states import PictureStatus
from tests.operations.backups.conftest import DIGEST, Place
from tests.operations.backups.test_restore import FINE
from tests.pictures.s3 import Bucket, bucket, new_bucket, s3_address

__all__ = ["bucket", "s3_address"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers("moto_server")]
NAMES = [f"{DIGEST}-160.webp", f"{DIGEST}.webp"]


@pytest.fixture
def shop(bucket: Bucket, here: Place) -> Place:
    """With a picture in the bucket."""
    Picture.objects.create(digest=DIGEST, size=9, status=PictureStatus.READY)
    for name in NAMES:
        default_storage.save(name, ContentFile(name.encode()))
    return replace(here, environment={**here.environment, **bucket.environment})


def test_they_are_restored_to_another_bucket_or_to_files(
    shop: Place, elsewhere: Place, s3_address: str, tmp_path: Path
) -> None:
    file = tmp_path / "shop.zip"
    assert shop.manage("backup", str(file), "--verbosity", "0").stderr == ""
    with ZipFile(file) as members:
        assert [members.read(f"media/{name}") for name in NAMES] == [name.encode() for name in NAMES]
    other = new_bucket(s3_address)
    done = elsewhere.manage("restore", str(file), "--verbosity", "0", **other.environment)
    assert (done.stderr, done.stdout[-len(FINE) :]) == ("", FINE)
    assert [(name, other.content(name)) for name in other.names()] == [(name, name.encode()) for name in NAMES]
    done = elsewhere.manage("restore", str(file), "--force", "--verbosity", "0")
    assert (done.stderr, done.stdout[-len(FINE) :]) == ("", FINE)
    assert elsewhere.picture.read_bytes() == NAMES[1].encode()


def test_objects_with_another_content_are_not_replaced(
    shop: Place, elsewhere: Place, s3_address: str, tmp_path: Path
) -> None:
    file = tmp_path / "shop.zip"
    assert shop.manage("backup", str(file)).returncode == 0
    other = new_bucket(s3_address)
    other.client.put_object(Bucket=other.name, Key=NAMES[0], Body=b"another")
    refused = elsewhere.manage("restore", str(file), "--verbosity", "0", **other.environment)
    assert refused.stderr == (
        f"CommandError: Nothing was restored. {NAMES[0]} differs from the file in the backup: restore into empty "
        "folders, or use --force.\n"
    )
    assert other.content(NAMES[0]) == b"another"


def test_they_can_be_left_out(shop: Place, elsewhere: Place, bucket: Bucket, s3_address: str, tmp_path: Path) -> None:
    """The restored shop finds them in the same bucket, and misses them in another one."""
    file = tmp_path / "shop.zip"
    done = shop.manage("backup", str(file), "--without-pictures")
    assert (done.returncode, done.stderr) == (0, "uploads\ndatabase\nuploads\ninvoices\n")
    with ZipFile(file) as members:
        assert not [name for name in members.namelist() if name.startswith("media/")]
    done = elsewhere.manage("restore", str(file), "--verbosity", "0", **bucket.environment)
    assert (done.stderr, done.stdout[-len(FINE) :]) == ("", FINE)
    other = new_bucket(s3_address)
    done = elsewhere.manage("restore", str(file), "--force", "--verbosity", "0", **other.environment)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, f"The picture {NAMES[1]} is missing")


def test_a_failing_bucket_is_named(shop: Place, tmp_path: Path) -> None:
    done = shop.manage("backup", str(tmp_path / "shop.zip"), "--verbosity", "0", S3_ENDPOINT_URL="http://127.0.0.1:9")
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: No backup was made. ")
    assert 'S3_BUCKET) failed: Could not connect to the endpoint URL: "http://127.0.0.1:9/' in done.stderr
    assert list(tmp_path.glob("*.zip*")) == []
