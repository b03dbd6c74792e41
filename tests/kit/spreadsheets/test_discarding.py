"""What is deleted a day later, and what when a person is erased."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kit.domain.actor import SYSTEM
from kit.spreadsheets import applying, expiry, files
from kit.spreadsheets.applying import apply, confirm
from kit.spreadsheets.models import Import
from kit.values.timestamps import now
from tests.catalog.spreadsheets.importing import lines, previewed, uploaded

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _private_files(settings: Any, tmp_path: Path) -> None:
    settings.EXPORT_DIR = str(tmp_path / "exports")


def test_imports_and_files_live_for_a_day() -> None:
    old, new = uploaded(lines("Title", "Cup")), uploaded(lines("Title", "Mug"))
    Import.objects.filter(pk=old.pk).update(created_at=now() - timedelta(hours=25))
    moment = (now() - timedelta(hours=25)).timestamp()
    os.utime(files.path_of(old.pk, "csv"), (moment, moment))

    assert expiry.discard_expired() == 2
    assert Import.objects.get() == new
    assert [path.name for path in files.path_of(new.pk, "csv").parent.iterdir()] == [f"{new.pk}.csv"]


def test_the_day_of_an_import_begins_with_its_last_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(applying, "_MOST", 1)
    monkeypatch.setattr(applying, "_LEAST", 1)
    one = previewed(lines("Title", "Cup", "Mug"))
    confirm(one)

    def a_day_later(*_: int) -> None:
        Import.objects.filter(pk=one.pk, position=1).update(created_at=now() - timedelta(hours=25))

    apply(one, actor=SYSTEM, report=a_day_later)

    assert (expiry.discard_expired(), one.done) == (0, {"new": 2})
    assert Import.objects.get().created_at > now() - timedelta(minutes=30)
    assert one.created_at == Import.objects.get().created_at


def test_what_holds_personal_data_goes_with_a_person() -> None:
    goods, people = uploaded(lines("Title", "Cup")), uploaded(lines("Email", "a@example.com"), spreadsheet="customers")

    expiry.discard_personal()

    assert Import.objects.get() == goods
    assert not files.path_of(people.pk, "csv").exists()
    assert files.path_of(goods.pk, "csv").exists()


def test_a_file_that_is_deleted_while_it_is_written_is_a_refusal() -> None:
    message = "The file was deleted while it was written. Begin again."
    with pytest.raises(files.FileGone, match=message), files.new_file("job_1", "csv"):
        files.discard("job_1")
