"""`manage.py backup`."""

import threading
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from commerce.operations.backups import archive
from commerce.operations.backups.creation import create
from giftcards.models import GiftCard
from orders.models import InvoiceFile
from tests.factories.giftcards import gift_card
from tests.operations.backups.conftest import DIGEST, Place, quiet
from tests.operations.interrupting import interrupted

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.usefixtures("staff_token")
def test_it_is_one_file_that_only_its_owner_can_read(here: Place, tmp_path: Path) -> None:
    file = tmp_path / "shop.zip"
    done = here.manage("backup", str(file))
    assert done.returncode == 0, done.stderr
    assert (done.returncode, done.stderr) == (0, "uploads\ndatabase\nuploads\ninvoices\nmedia\n")
    assert done.stdout.startswith(f"{file}: ")
    assert done.stdout.endswith(" tables, and 3 files\n")
    assert file.stat().st_mode & 0o777 == 0o600
    database = {"postgresql": "database.dump", "sqlite": "database.sqlite3"}[connection.vendor]
    with ZipFile(file) as members:
        assert members.testzip() is None
        assert members.namelist() == [
            f"uploads/{'cd' * 32}.original",
            database,
            f"invoices/{InvoiceFile.objects.get().path}",
            f"media/{DIGEST}.webp",
            "manifest.json",
        ]
        assert b"insecure" not in members.read("manifest.json")  # as the secrets of development are named


def test_what_is_written_meanwhile_is_not_in_it_and_does_not_wait(
    here: Place, elsewhere: Place, tmp_path: Path
) -> None:
    """The counts of the manifest are those of the copy: the restoration compares them."""
    gift_card()
    before = GiftCard.objects.count()

    def issue_while_it_is_copied(step: str, size: int) -> Callable[[int], object]:
        if step == "database":
            in_another_thread(gift_card)
        return quiet(step, size)

    file = tmp_path / "meanwhile.zip"
    create(str(file), issue_while_it_is_copied)
    assert GiftCard.objects.count() == before + 1
    with archive.opened(str(file)) as read:
        assert read.manifest.rows[GiftCard._meta.db_table] == before
    restored = elsewhere.manage("restore", str(file))
    assert restored.returncode == 0, restored.stdout + restored.stderr
    assert (restored.returncode, restored.stderr) == (0, "checksums\nfiles\ndatabase\n")


def in_another_thread(write: Callable[[], object]) -> None:
    def run() -> None:
        write()
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def test_a_file_is_not_overwritten(here: Place, tmp_path: Path) -> None:
    file = tmp_path / "shop.zip"
    file.write_text("of yesterday")
    with pytest.raises(CommandError) as refused:
        call_command("backup", str(file), verbosity=0)
    assert str(refused.value) == f"No backup was made. {file} already exists; choose another name."
    assert file.read_text() == "of yesterday"


def test_a_file_that_appeared_meanwhile_is_not_overwritten(here: Place, tmp_path: Path) -> None:
    file = tmp_path / "shop.zip"

    def appear(step: str, size: int) -> Callable[[int], object]:
        file.write_text("of another")
        return quiet(step, size)

    with pytest.raises(FileExistsError):
        create(str(file), appear)
    assert file.read_text() == "of another"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["shop.zip"]


@pytest.mark.parametrize("step", ["uploads", "database", "invoices", "media"])
def test_an_interrupted_one_leaves_no_file(here: Place, tmp_path: Path, step: str) -> None:
    def interrupt(name: str, size: int) -> Callable[[int], object]:
        if name == step:
            raise KeyboardInterrupt
        return quiet(name, size)

    before = set(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        create(str(tmp_path / "shop.zip"), interrupt)
    assert set(tmp_path.iterdir()) == before


def test_a_folder_that_does_not_exist_is_named(here: Place, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"^No backup was made\. .*: No such file or directory$"):
        call_command("backup", str(tmp_path / "missing" / "shop.zip"), verbosity=0)


@pytest.mark.postgresql
def test_ctrl_c_while_it_is_written(here: Place, tmp_path: Path) -> None:
    before, file = set(tmp_path.iterdir()), str(tmp_path / "shop.zip")
    ended = interrupted("backup", file, "--verbosity", "0", environment=here.environment, table="giftcards_giftcard")
    assert ended == (130, "\nInterrupted: no incomplete file is left; you can run the command again.\n")
    assert set(tmp_path.iterdir()) == before
    assert here.manage("backup", file, "--verbosity", "0").returncode == 0


@pytest.mark.postgresql
@pytest.mark.parametrize(("command", "program"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_a_missing_program_is_named_with_its_package(
    backup: Path, elsewhere: Place, tmp_path: Path, command: str, program: str
) -> None:
    file = {"backup": tmp_path / "new.zip", "restore": backup}[command]
    done = elsewhere.manage(command, str(file), PATH="")
    assert done.returncode == 1
    assert done.stderr.endswith(
        f"{program} is not on the PATH: install PostgreSQL's client programs of the server's version or a newer one "
        "(Debian: postgresql-client).\n"
    )
