"""Backups that are not restored: damaged ones, of newer versions, and of other secrets."""

from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import orjson
import pytest
from django.db import connection
from pytest_django import Settings

from commerce.operations.backups import archive
from commerce.operations.backups.refusal import BackupRefused
from commerce.operations.backups.restoring import check
from pictures.names import file_name
from tests.operations.backups.conftest import DIGEST, PICTURE, Place, quiet

pytestmark = pytest.mark.django_db(transaction=True)
DAMAGED = r"^The file is not a backup, or is incomplete or damaged: "
SECRETS = ("5-vT5xqLmZ2cKb8yRdWg9sPfAe4nHuJt7", "6-vT5xqLmZ2cKb8yRdWg9sPfAe4nHuJt7")


def refusal(file: Path) -> str:
    with pytest.raises(BackupRefused) as refused:
        check(str(file), quiet)
    return str(refused.value)


def test_a_whole_one_is_accepted(backup: Path) -> None:
    assert check(str(backup), quiet).database == connection.vendor


@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.9, 0.999])
def test_one_that_was_cut_short(backup: Path, part: float) -> None:
    whole = backup.read_bytes()
    backup.write_bytes(whole[: int(len(whole) * part)])
    assert refusal(backup).startswith("The file is not a backup, or is incomplete or damaged: ")


def contents_of(backup: Path) -> dict[str, bytes]:
    with ZipFile(backup) as members:
        return {name: members.read(name) for name in members.namelist()}


def test_one_with_a_changed_byte_is_refused_unless_its_content_is_the_same(backup: Path) -> None:
    """In the middle of each member. Compressed data can say the same in two ways."""
    whole, before = backup.read_bytes(), contents_of(backup)
    with ZipFile(backup) as members:
        places = [
            each.header_offset + 200 + each.compress_size // 2
            for each in members.infolist()
            if each.compress_size > 500
        ]
    assert places
    for place in places:
        backup.write_bytes(whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :])
        try:
            check(str(backup), quiet)
        except BackupRefused:
            continue
        assert contents_of(backup) == before


def test_one_with_a_changed_byte_of_a_picture(backup: Path) -> None:
    """Pictures stand in it as they are."""
    whole = backup.read_bytes()
    assert whole.count(PICTURE) == 1
    backup.write_bytes(whole.replace(PICTURE, PICTURE.swapcase()))
    assert refusal(backup) == (
        f"The file is not a backup, or is incomplete or damaged: Bad CRC-32 for file 'media/{file_name(DIGEST)}'"
    )


def test_one_with_another_picture(backup: Path) -> None:
    """Its file is whole."""
    name = f"media/{file_name(DIGEST)}"
    changed(backup, contents={name: PICTURE.swapcase()})
    assert refusal(backup) == f"The backup was altered: the checksum of {name} is not that of its manifest."


def changed(backup: Path, *, without: str = "", contents: Mapping[str, bytes] | None = None, **values: Any) -> None:
    """Write it again with another manifest, other contents, and all members but one."""
    with archive.opened(str(backup)) as read, ZipFile(backup) as members:
        manifest = {**asdict(read.manifest), **values}
        kept = {name: members.read(name) for name in members.namelist() if name not in (without, archive.MANIFEST)}
    with ZipFile(backup, "w") as written:
        for name, content in {**kept, **(contents or {})}.items():
            written.writestr(name, content)
        written.writestr(archive.MANIFEST, orjson.dumps(manifest))


def manifest_of(backup: Path) -> dict[str, Any]:
    with archive.opened(str(backup)) as read:
        return asdict(read.manifest)


def test_one_whose_content_is_not_that_of_its_manifest(backup: Path) -> None:
    members = dict(manifest_of(backup)["members"])
    name = min(members)
    changed(backup, members={**members, name: "0" * 64})
    assert refusal(backup) == f"The backup was altered: the checksum of {name} is not that of its manifest."


def test_one_without_a_member(backup: Path) -> None:
    name = min(manifest_of(backup)["members"])
    changed(backup, without=name)
    assert refusal(backup) == f"The backup was altered: {name} is missing or does not belong to it."


@pytest.mark.parametrize("name", ["media/../../../etc/passwd", "/etc/passwd"])
def test_one_that_would_write_elsewhere(backup: Path, name: str) -> None:
    members = dict(manifest_of(backup)["members"])
    with ZipFile(backup, "a") as file:
        file.writestr(name, "root")
    changed(backup, members={name: "0" * 64, **members})
    assert refusal(backup) == f"The backup was altered: {name} is not a valid file name."


def test_one_with_another_file_among_the_pictures(backup: Path) -> None:
    """The shop would serve it."""
    members = dict(manifest_of(backup)["members"])
    with ZipFile(backup, "a") as file:
        file.writestr("media/page.html", "<script>")
    changed(backup, members={**members, "media/page.html": sha256(b"<script>").hexdigest()})
    assert refusal(backup) == "The backup was altered: media/page.html is not the name of a picture."


def test_another_file(backup: Path) -> None:
    with ZipFile(backup, "w") as file:
        file.writestr("holiday.jpg", "a picture")
    assert refusal(backup).startswith("The file is not a backup of this shop: ")


def test_one_of_a_newer_version(backup: Path) -> None:
    migrations = manifest_of(backup)["migrations"]
    changed(backup, migrations=[*migrations, "orders.9999_later"], version="9.0.0")
    assert refusal(backup) == (
        "The backup is of version 9.0.0; this is 0.2.0, which does not know its migration orders.9999_later. Install "
        "that version or a later one."
    )


def test_one_of_a_newer_format(backup: Path) -> None:
    changed(backup, format=2, version="9.0.0", more="than is known")
    assert refusal(backup) == "The backup was made by a newer version, 9.0.0: install that version."


def test_one_of_another_kind_of_database(backup: Path) -> None:
    changed(backup, database="oracle")
    assert refusal(backup).startswith(f"The backup is of oracle, and DATABASE_URL names {connection.vendor}: ")


def test_one_of_other_secrets(backup: Path, settings: Settings) -> None:
    former = settings.SECRET_KEY
    settings.SECRET_KEY, settings.JWT_SECRET = SECRETS
    assert refusal(backup) == (
        "The backup was made with another SECRET_KEY and JWT_SECRET. Set the one in use then, or add it to "
        "SECRET_KEY_FALLBACKS (see docs/operators/secrets.md). With --other-secrets, what it signed and encrypted "
        "is lost."
    )
    settings.SECRET_KEY_FALLBACKS = [former]
    assert refusal(backup).startswith("The backup was made with another JWT_SECRET. ")
    assert check(str(backup), quiet, with_other_secrets=True).database == connection.vendor


def test_nothing_is_restored_of_a_damaged_one(backup: Path, elsewhere: Place) -> None:
    backup.write_bytes(backup.read_bytes()[:-100])
    done = elsewhere.manage("restore", str(backup))
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: Nothing was restored. The file is not a backup, or is incomplete")
    assert not elsewhere.picture.exists()


def test_a_file_that_is_not_there_is_named(elsewhere: Place, tmp_path: Path) -> None:
    done = elsewhere.manage("restore", str(tmp_path / "shop.zip"))
    assert done.stderr == f"CommandError: Nothing was restored. {tmp_path}/shop.zip: No such file or directory\n"
