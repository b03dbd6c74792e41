"""Email as files: `EMAIL_URL=filemail:////srv/mail` writes each message as one `.eml` that mail programs open."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from kit.values.timestamps import now


class EmailBackend(BaseEmailBackend):
    """Files are named by their time and recipient. A message that is sent again makes a second file."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FILE_PATH)
        folder.mkdir(parents=True, exist_ok=True)
        for message in email_messages:
            recipient = "".join(letter if letter.isalnum() or letter in "@._-" else "_" for letter in message.to[0])
            moment = f"{now():%Y-%m-%d_%H-%M-%S.%f}"
            (folder / f"{moment}_{recipient}.eml").write_bytes(message.message().as_bytes())
        return len(email_messages)
