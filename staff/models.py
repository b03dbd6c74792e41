"""The staff user, who signs in by email and has Django permissions, and invitations to become one."""

from collections.abc import Mapping
from typing import ClassVar, Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import Group, PermissionsMixin
from django.core.validators import EmailValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.crypto import get_random_string

from kit.domain.actor import Actor
from kit.domain.base_model import BackOfficeQuerySet, BaseModel
from kit.safety.password_hash import password_matches
from kit.values import timestamps
from kit.values.ids import IdField


def new_stamp() -> str:
    """A new account stamp. Tokens and sessions contain the stamp, and are invalid once the account has another."""
    return get_random_string(22)


class UserManager(BaseUserManager["User"]):
    """Creates users by email, stored lower-case."""

    def create_user(self, email: str, password: str | None = None, **fields: object) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: object) -> "User":
        return self.create_user(email, password, **{**fields, "is_superuser": True})

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())

    def visible_within(
        self, actor: Actor, bounds: Mapping[str, object], *, with_deleted: bool = False
    ) -> BackOfficeQuerySet:
        """The users that programs read: for staff."""
        return BackOfficeQuerySet(self.model, using=self._db).visible_to(actor, with_deleted=with_deleted)


class User(AbstractBaseUser, PermissionsMixin):
    """A staff user. Every user can open the admin site; permissions decide what they can do there.

    deleted_at: when a program deleted the user, who is inactive since. The row stays: keys and the history refer to it.
    """

    event_name = "user"

    id = IdField(prefix="user")
    email = models.EmailField(unique=True, validators=[EmailValidator()])
    first_name = models.CharField(max_length=150, blank=True)
    last_name = models.CharField(max_length=150, blank=True)
    avatar_url = models.URLField(max_length=2048, null=True, blank=True)
    metadata = models.JSONField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    stamp = models.CharField(max_length=22, default=new_stamp, editable=False)
    created_at = timestamps.TimestampField(default=timestamps.now, editable=False)
    updated_at = timestamps.TimestampField(auto_now=True)
    deleted_at = timestamps.TimestampField(null=True, blank=True, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(email=Lower("email")), name="staff_user_email_lower")]

    @property
    def is_staff(self) -> bool:
        """Whether the user may open the admin site: every active user may."""
        return self.is_active

    def has_perm(self, perm: str, obj: models.Model | None = None) -> bool:
        """Whether the user has the permission. `lacked_permission` is the last that they were found to lack."""
        is_granted = super().has_perm(perm, obj)
        if not is_granted:
            self.lacked_permission: str | None = perm
        return is_granted

    def clean(self) -> None:
        super().clean()
        self.email = self.email.strip().lower()

    def set_password(self, raw_password: str | None) -> None:
        """Set the password. Tokens and sessions from before become invalid."""
        super().set_password(raw_password)
        self.stamp = new_stamp()

    def check_password(self, raw_password: str | None) -> bool:
        """Check the password. An outdated hash is replaced, which does not end sessions."""
        unchanged = User.objects.filter(pk=self.pk, password=self.password)

        def keep(hashed: str) -> None:
            if unchanged.update(password=hashed):
                self.password = hashed

        return password_matches(raw_password, self.password, keep=keep)

    def get_session_auth_hash(self) -> str:
        """The stamp, which Django compares at each request, so that sessions end like tokens."""
        return self.stamp

    def get_full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or self.email


class InvitationQuerySet(BackOfficeQuerySet):
    """Rows that only superusers may see, as on the admin site."""

    def visible_to(self, actor: Actor, *, with_deleted: bool = False) -> Self:
        rows = super().visible_to(actor, with_deleted=with_deleted)
        if actor.type == "system":
            return rows
        return rows.filter(models.Exists(User.objects.filter(pk=actor.id, is_active=True, is_superuser=True)))


class Invitation(BaseModel):
    """An invitation to become a member of staff with these groups. The user is created when it is accepted.

    deleted_at: when it was withdrawn or replaced. token_digest: of the token of its latest email. expires_at: its
    lifetime begins when that email is queued, and again when it is rendered.
    """

    event_name = "invite"

    id = IdField(prefix="invite")
    email = models.EmailField(validators=[EmailValidator()])
    groups = models.ManyToManyField(Group, related_name="+")
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    user = models.OneToOneField(User, null=True, editable=False, on_delete=models.PROTECT, related_name="+")
    token_digest = models.CharField(max_length=64, null=True, unique=True, editable=False)
    expires_at = timestamps.TimestampField(null=True, editable=False)
    metadata = models.JSONField(null=True, blank=True, editable=False)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="staff_invitation_email_lower"),
            models.UniqueConstraint(
                fields=["email"], condition=models.Q(deleted_at=None, user=None), name="staff_invitation_one_open"
            ),
        ]

    def __str__(self) -> str:
        return f"Invitation of {self.email}"
