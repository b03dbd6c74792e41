"""Pictures: one row for each sequence of bytes that was received."""

from django.conf import settings
from django.db import models

from kit.domain.base_model import BackOfficeQuerySet, BaseModel
from kit.values.ids import IdField
from kit.values.public_address import absolute
from kit.values.timestamps import TimestampField
from pictures.names import file_name, path_of
from pictures.states import PictureStatus

REASON_MAX_LENGTH = 200


class Picture(BaseModel):
    """A picture.

    digest: SHA-256 of the received bytes, in hexadecimal. size: their number. reason: of a failure. is_named: whether
    anything named it when `prune` last looked. judged_at: when that was found, or when the picture was last uploaded
    again or attached; None until then.
    """

    id = IdField(prefix="file")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    size = models.PositiveIntegerField(editable=False)
    status = models.CharField(
        max_length=16, choices=PictureStatus.choices, default=PictureStatus.PROCESSING, editable=False
    )
    reason = models.CharField(max_length=REASON_MAX_LENGTH, blank=True, default="", editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    is_named = models.BooleanField(default=False, db_default=False, editable=False)
    judged_at = TimestampField(null=True, editable=False)

    objects = BackOfficeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reason="", status__in=(PictureStatus.PROCESSING, PictureStatus.READY))
                | (models.Q(status=PictureStatus.FAILED) & ~models.Q(reason="")),
                name="picture_reason_of_failure",
            )
        ]
        indexes = [models.Index(fields=["-created_at", "-id"], name="picture_newest")]

    def __str__(self) -> str:
        return file_name(self.digest)

    @property
    def path(self) -> str:
        """The path that rows store."""
        return path_of(self.digest)

    @property
    def url(self) -> str:
        """The address for clients. It is final; until the picture is ready, it is answered 404."""
        return absolute(self.path)
