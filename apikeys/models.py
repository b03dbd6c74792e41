"""API keys: publishable ones limit a storefront's requests to sales channels, secret ones act for a staff user.

Both are looked up by the digest of their token. A publishable token is public and stored in clear; of a secret one only
the digest is stored, so that a stolen table is useless. Tokens have 256 random bits, so one fast hash is enough.
"""

from typing import Self

from django.conf import settings
from django.db import models

from apikeys.states import KeyType
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel, ResourceQuerySet
from kit.values import timestamps
from kit.values.ids import IdField
from shop.models import SalesChannel


class ApiKeyQuerySet(ResourceQuerySet):
    """API keys, limited to what the actor may see."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        """Staff with the permission see all; others none."""
        if not actor.may("apikeys.view_apikey"):
            return self.none()
        return self if with_deleted else self.not_deleted()

    def active(self) -> Self:
        """Keys that are neither deleted nor revoked; a revocation in the future has not happened yet."""
        return self.not_deleted().filter(models.Q(revoked_at=None) | models.Q(revoked_at__gt=timestamps.now()))


class ApiKey(BaseModel):
    """An API key. redacted: the masked token. token: empty for secret keys, whose token is not stored.

    permissions: what a secret key is limited to, as a list of `<app>.<codename>`; null for all of its creator's.
    """

    id = IdField(prefix="apk")
    type = models.CharField(max_length=16, choices=KeyType.choices, editable=False)
    title = models.CharField(max_length=255)
    token = models.CharField(max_length=80, blank=True, default="", editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    redacted = models.CharField(max_length=16, editable=False)
    last_used_at = timestamps.TimestampField(null=True, blank=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", editable=False
    )
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", editable=False
    )
    revoked_at = timestamps.TimestampField(null=True, blank=True, editable=False)
    permissions = models.JSONField(null=True, blank=True, editable=False)
    sales_channels = models.ManyToManyField(SalesChannel, blank=True, related_name="api_keys")

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = "API key"
        verbose_name_plural = "API keys"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(type=KeyType.PUBLISHABLE) | models.Q(token="", created_by__isnull=False),
                name="apikeys_apikey_secret_unreadable_and_owned",
            ),
            models.CheckConstraint(
                condition=models.Q(type=KeyType.SECRET) | models.Q(permissions__isnull=True),
                name="apikeys_apikey_permissions_of_secret",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.redacted})"

    @property
    def state(self) -> str:
        """The key's state in LIFE; a revocation in the future has not happened yet."""
        if self.deleted_at is not None:
            return "deleted"
        return "revoked" if self.revoked_at is not None and self.revoked_at <= timestamps.now() else "active"
