"""Checks try the folders that the shop writes to, and leave no trace in them."""

from pathlib import Path

import pytest
from pytest_django import Settings

from commerce.operations.checks.folder_checks import check_folders

pytestmark = pytest.mark.once
FOLDERS = {"UPLOAD_DIR": "UPLOAD_DIR", "EXPORT_DIR": "EXPORT_DIR", "MEDIA_ROOT": "MEDIA_ROOT"} | {
    "EMAIL_FILE_PATH": "EMAIL_URL",
    "STATIC_ROOT": "COMMERCE_HOME",
    "METRICS_DIR": "COMMERCE_HOME",
}
"""The variable of each setting."""


@pytest.fixture(autouse=True)
def home(settings: Settings, tmp_path: Path) -> Path:
    """A folder in which all of them are still to be created."""
    settings.EMAIL_BACKEND, settings.METRICS_PORT = "kit.messages.mails.file_backend.EmailBackend", 9180
    for name in FOLDERS:
        setattr(settings, name, str(tmp_path / "var" / name.lower()))
    return tmp_path


def found() -> list[str]:
    reports = check_folders(None)
    assert {report.id for report in reports} <= {"commerce.E008"}
    return [report.msg for report in reports]


def test_folders_that_can_be_created_are_fine_and_are_not_created_yet(home: Path) -> None:
    assert found() == []
    assert [*home.iterdir()] == []


@pytest.mark.parametrize(("setting", "variable"), FOLDERS.items())
def test_a_file_in_the_place_of_a_folder_is_named(settings: Settings, home: Path, setting: str, variable: str) -> None:
    taken = home / "taken"
    taken.touch()
    setattr(settings, setting, str(taken))
    assert found() == [f"{variable}: the folder '{taken}' is a file."]
    setattr(settings, setting, str(taken / "below"))
    assert found() == [f"{variable}: the folder '{taken}/below' cannot be created: '{taken}' is a file."]


@pytest.mark.parametrize("setting", FOLDERS)
def test_a_folder_that_cannot_be_written_to_is_named(
    settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """Root may write anywhere, so the answer of the system is replaced."""
    locked = home / "locked"
    locked.mkdir()
    monkeypatch.setattr("os.access", lambda path, mode: path != locked)
    variable = FOLDERS[setting]
    setattr(settings, setting, str(locked))
    assert found() == [f"{variable}: the folder '{locked}' cannot be written to."]
    setattr(settings, setting, str(locked / "below"))
    assert found() == [f"{variable}: the folder '{locked}/below' cannot be created: '{locked}' cannot be written to."]


def test_folders_that_are_not_used_are_not_tried(settings: Settings, home: Path) -> None:
    (home / "taken").touch()
    settings.MEDIA_ROOT = settings.METRICS_DIR = settings.EMAIL_FILE_PATH = str(home / "taken")
    settings.S3_BUCKET, settings.METRICS_PORT = "pictures", 0
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert found() == []
