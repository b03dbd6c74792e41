"""Email as files, for development and the demo."""

from email import message_from_bytes, policy
from pathlib import Path

import pytest
from pytest_django import Settings

from kit.messages.mails.models import Mail
from kit.messages.mails.queueing import queue_mail
from kit.messages.mails.sending import send_due
from tests.kit.messages.mails.conftest import Notes


@pytest.mark.django_db
def test_each_mail_is_a_file_that_a_mail_program_opens(notes: Notes, settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "kit.messages.mails.file_backend.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path / "new" / "mail")
    notes.context = {"text": "Grüße"}
    for number in range(3):
        queue_mail("note", about=f"{number}")
    send_due()
    files = sorted((tmp_path / "new" / "mail").glob("*_ann@example.com.eml"))
    messages = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
    assert [message["Subject"] for message in messages] == [f"Note {number}: Grüße" for number in range(3)]
    body = messages[0].get_body(("html",))
    assert body is not None
    assert "<p>Grüße</p>" in body.get_content()


@pytest.mark.django_db
def test_a_folder_that_cannot_be_written_delays_mails(notes: Notes, settings: Settings, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND = "kit.messages.mails.file_backend.EmailBackend"
    (tmp_path / "taken").write_text("a file")
    settings.EMAIL_FILE_PATH = str(tmp_path / "taken")
    queue_mail("note", about="a")
    send_due()
    assert Mail.objects.get().error.startswith("FileExistsError")
