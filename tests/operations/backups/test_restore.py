"""`manage.py restore`: what comes back, and where it may go."""

import os
import re
import time
from pathlib import Path

import pytest
from django.db import connection

from catalog.listings.counts import triggers
from catalog.listings.counts.queries import PRODUCTS
from commerce.operations.backups.creation import create
from tests.concurrency.running_server import Sent, running_server
from tests.factories import webhooks
from tests.operations.backups.conftest import DIGEST, KEY, PATIENCE, Place, quiet, repeatable
from tests.operations.backups.test_refused_backups import changed, manifest_of
from tests.operations.interrupting import interrupt, start

pytestmark = [pytest.mark.every(3), pytest.mark.django_db(transaction=True)]
FINE = "Checked row counts, triggers, the ledger, pictures and webhook secrets: no problems\n"
HAS_TABLES = (
    "CommandError: Nothing was restored. The database has tables: restore into an empty one and let DATABASE_URL name "
    "it, or use --force, which removes all tables.\n"
)


def test_a_restored_shop_goes_on(here: Place, elsewhere: Place, staff_token: str, tmp_path: Path) -> None:
    """Tokens from before are valid, stored responses are replayed, and pictures are served."""
    create(str(tmp_path / "shop.zip"), quiet)
    done = elsewhere.manage("restore", str(tmp_path / "shop.zip"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert (done.returncode, done.stderr) == (0, "checksums\nfiles\ndatabase\n")
    assert done.stdout.startswith("Restored ")
    assert done.stdout.endswith(FINE)
    assert elsewhere.picture.stat().st_mode & 0o777 == 0o644
    for name, content in {"uploads": b"not converted yet", "invoices": b"%PDF-1.7"}.items():
        (file,) = (elsewhere.folder / name).iterdir()
        assert [path.stat().st_mode & 0o777 for path in (file.parent, file)] == [0o700, 0o600]
        assert file.read_bytes() == content
    with running_server(elsewhere.environment, log=tmp_path / "log", headers={}, workers=1) as server:
        replayed = server.send(Sent("/admin/api-keys", KEY, repeatable(staff_token)))
        assert (replayed.status, replayed.headers["idempotent-replayed"]) == (200, "true")
        assert server.send(Sent(f"/media/{DIGEST}.webp", method="GET")).body == "a picture"


def test_a_database_with_tables_is_replaced_only_by_force(backup: Path, here: Place, elsewhere: Place) -> None:
    """By force also those tables are removed that the backup does not have, as of a newer version."""
    elsewhere.run("CREATE TABLE of_a_newer_version (id integer)")
    refused = elsewhere.manage("restore", str(backup))
    assert (refused.returncode, refused.stderr) == (1, HAS_TABLES)
    done = elsewhere.manage("restore", str(backup), "--force", "--verbosity", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(FINE)
    elsewhere.run("CREATE TABLE of_a_newer_version (id integer)")  # it is gone


def test_a_database_in_use_is_not_replaced(backup: Path, here: Place) -> None:
    """The test itself has it open; threads of earlier tests may, too."""
    connection.ensure_connection()
    done = here.manage("restore", str(backup), "--force", "--verbosity", "0")
    others = {
        "postgresql": r"The database has other open connections \([1-9]\d*\)",
        "sqlite": "Another process uses the database",
    }[connection.vendor]
    assert re.fullmatch(f"CommandError: Nothing was restored. {others}: stop the server first.\n", done.stderr)


def test_other_files_are_replaced_only_by_force(backup: Path, elsewhere: Place) -> None:
    elsewhere.picture.parent.mkdir()
    elsewhere.picture.write_bytes(b"another picture")
    refused = elsewhere.manage("restore", str(backup), "--verbosity", "0")
    assert refused.stderr == (
        f"CommandError: Nothing was restored. {elsewhere.picture} differs from the file in the backup: restore into "
        "empty folders, or use --force.\n"
    )
    assert elsewhere.picture.read_bytes() == b"another picture"
    assert elsewhere.manage("restore", str(backup), "--force", "--verbosity", "0").returncode == 0
    assert elsewhere.picture.read_bytes() == b"a picture"


def test_what_does_not_fit_together_is_reported(
    here: Place, elsewhere: Place, staff_token: str, tmp_path: Path
) -> None:
    here.picture.unlink()
    file = tmp_path / "shop.zip"
    assert here.manage("backup", str(file), "--verbosity", "0").returncode == 0
    done = elsewhere.manage("restore", str(file), "--verbosity", "0")
    assert done.returncode == 1
    assert done.stdout.endswith(f"\nThe picture {DIGEST}.webp is missing\n")
    assert done.stderr == "CommandError: Problems found by the checks: 1\n"


def test_what_the_backup_itself_lacks_is_reported(backup: Path, elsewhere: Place, tmp_path: Path) -> None:
    """A trigger that was dropped, a webhook secret that was sealed with another key, and a row that got lost."""
    assert elsewhere.manage("restore", str(backup), "--verbosity", "0").returncode == 0
    trigger = triggers.of(connection.vendor, PRODUCTS)[0]
    of_table = f" ON {trigger.table}" if connection.vendor == "postgresql" else ""
    elsewhere.run(f"DROP TRIGGER {trigger.name}{of_table}")
    elsewhere.run(
        "UPDATE webhooks_webhookaddress SET sealed_former_secret = 'of another key', "
        "former_secret_until = '2026-11-28 00:00:00'"
    )
    file = tmp_path / "lacking.zip"
    assert elsewhere.manage("backup", str(file), "--verbosity", "0").returncode == 0
    rows = dict(manifest_of(file)["rows"])
    changed(file, rows={**rows, "giftcards_giftcard": 2})
    done = elsewhere.manage("restore", str(file), "--force", "--verbosity", "0")
    assert done.returncode == 1
    *_, counts, missing, secret = done.stdout.splitlines()
    assert counts == "The table giftcards_giftcard has 1 rows, and had 2"
    assert missing == f"The trigger {trigger.name} is missing"
    assert secret.startswith(
        f"The secret of {webhooks.URL} cannot be decrypted: run `manage.py webhooks rotate webhook_"
    )
    assert done.stderr == "CommandError: Problems found by the checks: 3\n"


def test_migrations_of_this_version_are_applied(backup: Path, elsewhere: Place, tmp_path: Path) -> None:
    """The backup is of a version before keys could be limited."""
    assert elsewhere.manage("restore", str(backup), "--verbosity", "0").returncode == 0
    assert elsewhere.manage("migrate", "apikeys", "0001", "--verbosity", "0").returncode == 0
    file = tmp_path / "old.zip"
    assert elsewhere.manage("backup", str(file), "--verbosity", "0").returncode == 0
    done = elsewhere.manage("restore", str(file), "--force", "--verbosity", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Migrations of this version applied: 1\n" in done.stdout


@pytest.mark.postgresql
def test_ctrl_c_in_the_middle(backup: Path, elsewhere: Place, tmp_path: Path) -> None:
    """A pg_restore that does not end is killed; the database is as empty as before, and can be restored again."""
    programs, pid = tmp_path / "programs", tmp_path / "pid"
    programs.mkdir()
    (programs / "pg_restore").write_text(f"#!/bin/sh\necho $$ > {pid}\nexec sleep {PATIENCE}\n")
    (programs / "pg_restore").chmod(0o755)
    path = f"{programs}{os.pathsep}{elsewhere.environment['PATH']}"
    words = ("restore", str(backup), "--verbosity", "0")
    command = start(*words, environment={**elsewhere.environment, "PATH": path})
    try:
        deadline = time.monotonic() + PATIENCE
        while not (pid.exists() and pid.read_text()):
            assert command.poll() is None, command.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.1)
        state = "tables and files may be missing or unchecked; run the command again, with --force"
        assert interrupt(command) == (130, f"\nInterrupted: {state}.\n")
    finally:
        command.kill()
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
    assert elsewhere.manage(*words, "--force").returncode == 0
