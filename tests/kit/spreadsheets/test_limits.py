"""Limits of files, and what stays of those that are refused."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from kit.commands import atomic_files
from kit.domain.actor import SYSTEM
from kit.errors import InvalidData
from kit.spreadsheets import expiry, files, records, uploads
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.declarations import SPREADSHEETS, Record
from kit.spreadsheets.jobs import start_apply
from kit.spreadsheets.models import Import
from kit.spreadsheets.plans import refusal_of
from kit.spreadsheets.previews import preview
from kit.values.timestamps import now
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import applied, lines, previewed, undo_file, uploaded
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
FILE = lines("Product Handle,Product Title", "a,A", "b,B", "c,C")


@pytest.fixture(autouse=True)
def private_files(settings: Any, tmp_path: Path) -> Path:
    settings.EXPORT_DIR = str(tmp_path / "exports")
    return tmp_path / "exports" / "spreadsheets"


def _suffixes(folder: Path) -> Iterator[str]:
    return (path.suffix for path in folder.iterdir())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"Title,Price {'x' * 250}".encode(), "The header of column 2 is longer than 255 characters."),
        ("Title,a\0".encode("utf-16"), "The header of column 2 must not contain NUL characters."),
    ],
)
def test_headers_that_no_column_has_are_refused(content: bytes, message: str, private_files: Path) -> None:
    with pytest.raises(InvalidData) as refused:
        uploaded(content)

    assert refused.value.message == message
    assert [*private_files.iterdir()] == []


def test_an_upload_that_fails_leaves_no_file(private_files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(uploads, "_read_headers", broken)
    with pytest.raises(RuntimeError):
        uploaded(FILE)

    assert [*private_files.iterdir()] == []


def test_a_damaged_part_is_refused(tmp_path: Path, private_files: Path) -> None:
    path = tmp_path / "damaged.xlsx"
    with ZipFile(path, "w", ZIP_DEFLATED) as package:
        package.writestr("xl/worksheets/sheet1.xml", "<worksheet>" + "<row/>" * 1000 + "</worksheet>")
    content = bytearray(path.read_bytes())
    start = 30 + len("xl/worksheets/sheet1.xml")
    content[start : start + 3] = b"\xff\xff\xff"

    with pytest.raises(InvalidData):
        uploaded(bytes(content))

    assert [*private_files.iterdir()] == []


def test_a_file_with_too_many_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    preview(uploaded(FILE), actor=SYSTEM, most=3)
    with pytest.raises(InvalidData, match=r"The file has more than 2 rows\. Split it\."):
        preview(uploaded(FILE), actor=SYSTEM, most=2)


def test_a_record_with_too_many_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_OF_RECORD", 2)
    with pytest.raises(InvalidData, match=r"Row 4 belongs with 2 rows above it, which is too many\."):
        previewed(lines("Product Handle,Product Title", "a,A", "a,A", "a,A"))


def test_a_result_names_the_first_problems() -> None:
    record = Record("a", [(2, {})])
    for number in range(23):
        record.refuse(f"is wrong {number}")

    said = refusal_of(record, previewed(FILE), SPREADSHEETS.get()["products"]).splitlines()

    assert (len(said), said[0], said[-2], said[-1]) == (
        21,
        "Row 2: is wrong 0",
        "Row 2: is wrong 19",
        "It has 3 more problems.",
    )


def test_an_applied_import_keeps_its_undo_file_alone(private_files: Path) -> None:
    applied(FILE)
    one = applied(lines("Product Handle,Product Title", "a,New"))

    assert [*_suffixes(private_files)] == [".undo", ".undo"]
    assert "A" in undo_file(one)
    apply(one, actor=SYSTEM)  # a job that was killed at its end
    assert one.done == {"changed": 1}


def test_the_day_begins_again_when_an_import_is_confirmed() -> None:
    one = previewed(FILE)
    Import.objects.update(created_at=now() - timedelta(hours=23))

    confirm(one)

    assert now() - Import.objects.get().created_at < timedelta(minutes=1)


def test_an_import_with_an_unfinished_job_stays_with_its_files() -> None:
    actor = staff_actor(UserFactory.create(is_superuser=True))
    one = previewed(FILE, actor=actor)
    start_apply(one, actor=actor)
    later = now() + timedelta(hours=25)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expiry, "now", lambda: later)
        patch.setattr(atomic_files, "now", lambda: later)
        assert expiry.discard_expired() == 0

    assert (Import.objects.get(), files.path_of(one.pk, "plan").exists()) == (one, True)
