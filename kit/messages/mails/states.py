"""The statuses of an email."""

from django.db.models import TextChoices


class MailStatus(TextChoices):
    """`waiting` emails will be tried; the others are over. `not needed`: what it was about is gone."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"
    NOT_NEEDED = "not needed"
