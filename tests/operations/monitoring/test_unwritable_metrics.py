"""A directory of metrics that the user of a command may not write to, as after root has run one."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from commerce.operations.backups.last_backup import last_backup
from commerce.operations.monitoring.metrics_server import begin_metrics
from giftcards.verification.ledger_check import last_check
from tests.operations.backups.conftest import path_of_programs

__all__ = ["path_of_programs"]


@pytest.fixture(autouse=True)
def unwritable(settings: Any, tmp_path: Path) -> Path:
    """Also for root, who may write to all directories: one below a file."""
    (tmp_path / "var").touch()
    settings.METRICS_PORT, settings.METRICS_DIR = 9100, tmp_path / "var" / "metrics"
    return tmp_path / "var" / "metrics"


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_complete_without_it(
    unwritable: Path, settings: Any, tmp_path: Path, path_of_programs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.MEDIA_ROOT, settings.UPLOAD_DIR = tmp_path / "media", tmp_path / "uploads"
    file = tmp_path / "backup.zip"
    call_command("backup", str(file), verbosity=0)
    said = capsys.readouterr()
    assert file.exists()
    assert f"{file}: " in said.out
    assert f"The metrics do not show this run: {unwritable}: Not a directory" in said.err


@pytest.mark.django_db(transaction=True)
def test_the_ledger_is_verified_without_it(unwritable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_ledger")
    said = capsys.readouterr()
    assert said.out.startswith("No discrepancies")
    assert f"The metrics do not show this run: {unwritable}: Not a directory" in said.err


def test_the_metrics_have_neither() -> None:
    assert (last_backup(), last_check()) == (None, None)


def test_serve_names_the_directory(unwritable: Path) -> None:
    named = re.escape(f"METRICS_PORT: {unwritable / '9100'} cannot be created: Not a directory")
    with pytest.raises(CommandError, match=named):
        begin_metrics()
