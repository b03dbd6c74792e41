"""The identities that customers sign in with, and the network addresses that accounts have signed in from."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower

from kit.domain.base_model import BaseModel
from kit.values.ids import IdField
from kit.values.shown_dates import shown_date, shown_moment
from kit.values.timestamps import TimestampField, now
from staff.models import new_stamp


class AuthIdentity(BaseModel):
    """An email and its password. customer_id: the id of a row in a higher app; null until registration is finished."""

    id = IdField(prefix="authid")
    email = models.EmailField(unique=True)
    password = models.CharField(max_length=128)
    customer_id = models.CharField(max_length=64, null=True, blank=True, unique=True)
    stamp = models.CharField(max_length=22, default=new_stamp, editable=False)

    class Meta:
        verbose_name_plural = "auth identities"
        constraints = [
            models.CheckConstraint(condition=Q(email=Lower("email")), name="auth_identity_email_lower"),
        ]

    def __str__(self) -> str:
        return self.email


class KnownAddress(models.Model):
    """A network address that an account has signed in from. digest: a keyed hash of both, which reveals neither."""

    digest = models.CharField(primary_key=True, max_length=64)
    seen_at = TimestampField(default=now, db_index=True)

    def __str__(self) -> str:
        return f"seen on {shown_date(self.seen_at)}"


class PasswordReset(models.Model):
    """A request for a password reset email, for an address that may have no account. Its token is not stored."""

    id = IdField(prefix="pwreset")
    actor_type = models.CharField(max_length=16)
    email = models.TextField()
    created_at = TimestampField(default=now, db_index=True)

    def __str__(self) -> str:
        return f"{self.actor_type}, {shown_moment(self.created_at)}"
