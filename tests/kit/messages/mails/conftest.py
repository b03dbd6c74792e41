"""A kind of email for tests, and mail servers."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from kit.errors import Conflict
from kit.messages.mails import sending
from kit.messages.mails.kinds import MAIL_KINDS, SHOP_NAME, Attachment, MustWait, RenderedMail
from kit.messages.mails.sending import send_due
from kit.values.json import JSONObject
from tests.kit.messages.mails.smtp_server import MailServer, mail_server
from tests.ports import free_port

SMTP = "django.core.mail.backends.smtp.EmailBackend"


class Notes:
    """What the kind `note` renders: an email to `recipient` with `text`, unless it waits or `about` is in `gone`."""

    def __init__(self) -> None:
        self.recipient = "ann@example.com"
        self.context: JSONObject = {"text": "Hello"}
        self.gone: set[str] = set()
        self.until: datetime | None = None
        self.attachments: list[Attachment] = []
        self.rendered: list[tuple[str, int]] = []

    def render(self, about: str, number: int) -> RenderedMail | None:
        self.rendered.append((about, number))
        if about in self.gone:
            return None
        if self.until is not None:
            raise MustWait(self.until)
        context = {**self.context, "about": about, "number": number}
        return RenderedMail(self.recipient, "note", context, self.attachments)


def send_all() -> None:
    """Send until nothing is due, as a worker does: it tries again where the database is busy."""
    while True:
        with suppress(Conflict):
            if not send_due():
                return


@pytest.fixture(autouse=True)
def one_batch_sends_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is."""
    monkeypatch.setattr(sending, "BATCH_SECONDS", 60.0)


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """The shop's own folder of templates."""
    settings.MAIL_TEMPLATES = str(tmp_path)
    return tmp_path


@pytest.fixture
def notes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Notes:
    (folder / "note_subject.txt").write_text("Note {{ about }}: {{ text }}\n")
    (folder / "note.txt").write_text("{{ text }}\nfrom {{ shop }}\n")
    (folder / "note.html").write_text("<p>{{ text }}</p><p>{{ shop }}</p>")
    kind = Notes()
    monkeypatch.setattr(MAIL_KINDS, "_value", {"note": kind.render})
    monkeypatch.setattr(SHOP_NAME, "_value", lambda: "Tea & Co")
    return kind


@pytest.fixture
def port() -> int:
    """A port where nothing listens."""
    return free_port()


def use_server(settings: Any, port: int) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", port


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    """A mail server that the shop uses."""
    with mail_server() as running:
        use_server(settings, running.port)
        yield running
