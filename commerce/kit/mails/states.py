"""The statuses of a mail."""

from django.db.models import TextChoices


class MailStatus(TextChoices):
    """`waiting` mails will be tried; the others are over. `not needed`: what it was about is gone."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    NOT_NEEDED = "not needed"
