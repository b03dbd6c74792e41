"""The states of a picture."""

from django.db.models import TextChoices


class PictureStatus(TextChoices):
    """A picture is processing until its files can be served, or it has failed, with a reason."""

    PROCESSING = "processing"
    READY = "ready"
    FAILED = "failed"
