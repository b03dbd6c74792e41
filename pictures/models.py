"""Pictures: one row for each sequence of bytes that was received."""

from typing import Any

from django.conf import settings
from django.db import models

from kit.domain.base_model import BackOfficeQuerySet, BaseModel
from kit.values.ids import IdField
from kit.values.public_address import absolute
from kit.values.text import is_storable
from kit.values.timestamps import TimestampField, now
from pictures.names import file_name, path_of
from pictures.states import PictureStatus

REASON_MAX_LENGTH = 200


class PictureQuerySet(BackOfficeQuerySet):
    """Pictures, which only staff may see."""

    def with_id(self, value: str) -> Any | None:
        """The picture with that id, or that was uploaded to the address of that id; else None."""
        return super().with_id(value) or (self.filter(uploads=value).first() if is_storable(value) else None)


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

    objects = PictureQuerySet.as_manager()

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


class PictureSource(models.Model):
    """An address that a picture was fetched from (pictures/fetching.py). digest: SHA-256 of the address."""

    digest = models.CharField(max_length=64, primary_key=True, editable=False)
    # Without a constraint: the version before, which may still serve, deletes pictures and does not know this table.
    picture = models.ForeignKey(
        Picture, on_delete=models.CASCADE, related_name="sources", editable=False, db_constraint=False
    )

    objects = models.Manager["PictureSource"]()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.digest


class PresignedUpload(models.Model):
    """An address for one upload that was used (pictures/presigned.py). picture: None if refused or deleted."""

    id = IdField(prefix="file")
    picture = models.ForeignKey(Picture, null=True, on_delete=models.SET_NULL, related_name="uploads", editable=False)
    used_at = TimestampField(default=now, editable=False)

    objects = models.Manager["PresignedUpload"]()

    def __str__(self) -> str:
        return self.pk
