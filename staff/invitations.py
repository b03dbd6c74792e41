"""Inviting people to become staff, and accepting an invitation.

The token of the email lets its bearer choose the password, so only superusers invite, and an invitation ends with
its inviter's rights. A key that is limited grants nothing beyond its limit. Verbs lock users before invitations.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth.models import Group, Permission
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from kit.database.locking import lock_named, lock_row, lock_rows
from kit.domain.actor import Actor
from kit.editing.reporting import Change, report
from kit.messages.mails.queueing import queue_next_mail
from kit.messages.mails.tokens import mail_token, token_digest
from kit.values import email_address
from kit.values.metadata import Metadata, checked
from kit.values.timestamps import now
from staff.delegation import require_rights
from staff.errors import AlreadyStaff, InvitationNotFound, InvitationOver, NoPublicAddress, OnlySuperusers
from staff.invitation_tokens import api_token
from staff.models import Invitation, User

LIFETIME = timedelta(hours=72)
KIND = "invitation"


def is_open() -> Q:
    """Invitations that were neither accepted nor withdrawn, of inviters who may still invite. They may have expired."""
    return Q(deleted_at=None, user=None, invited_by__is_active=True, invited_by__is_superuser=True)


@dataclass(frozen=True, slots=True)
class SentInvitation:
    """An invitation whose email is queued, and its token for programs, which is not stored."""

    invitation: Invitation
    token: str = field(repr=False)


@transaction.atomic
def invite(*, actor: Actor, email: str, groups: Collection[Group], metadata: Metadata | None = None) -> SentInvitation:
    """Invite by email, and end an earlier invitation of that address.

    Raises InvalidData for a malformed email or metadata, NoPublicAddress, OnlySuperusers, RightsMissing, AlreadyStaff.
    """
    address, noted = email_address.checked(email), checked(metadata)
    inviter = _locked_superuser(actor)
    require_rights(actor, Permission.objects.filter(group__in=groups))
    lock_named(f"{KIND} {address}")
    if User.objects.filter(email=address).exists():
        raise AlreadyStaff(address)
    _end(Invitation.objects.filter(email=address))
    invitation: Invitation = Invitation.objects.create(email=address, invited_by=inviter, metadata=noted)
    invitation.groups.set(groups)
    report(Invitation, Change.CREATED, [invitation])
    return _sent(invitation)


@transaction.atomic
def resend(*, actor: Actor, invitation_id: str) -> SentInvitation:
    """Send another email, whose token ends the previous one and begins a new lifetime.

    Raises InvitationNotFound, NoPublicAddress, OnlySuperusers, RightsMissing.
    """
    _locked_superuser(actor)
    invitation = _locked(Invitation.objects.filter(is_open()), invitation_id)
    require_rights(actor, Permission.objects.filter(group__in=invitation.groups.all()))
    report(Invitation, Change.UPDATED, [invitation])
    return _sent(invitation)


@transaction.atomic
def withdraw(*, actor: Actor, invitation_id: str) -> Invitation:
    """End the invitation. Raises InvitationNotFound, also for one that was accepted, and OnlySuperusers."""
    _locked_superuser(actor)
    invitation = _locked(Invitation.objects.filter(deleted_at=None, user=None), invitation_id)
    _end(Invitation.objects.filter(pk=invitation.pk))
    return invitation


@transaction.atomic
def end_invitations_of(inviter: User) -> None:
    """End all invitations of a user who may no longer invite, so that they stay ended if the user may again."""
    _end(Invitation.objects.filter(invited_by=inviter))


def invitation_of(digest: str) -> Invitation | None:
    """The invitation with that token's digest that can be accepted now."""
    valid = Invitation.objects.filter(is_open(), token_digest=digest, expires_at__gt=now())
    found: Invitation | None = valid.select_related("invited_by").first()
    return found


def accept(*, digest: str, hashed: str, first_name: str, last_name: str) -> User:
    """Create the user. digest: of the invitation's token. hashed: the password's hash.

    Raises InvitationOver, also for the second of two at once.
    """
    try:
        return _accept(digest, {"password": hashed, "first_name": first_name, "last_name": last_name})
    except IntegrityError:  # another user got the email meanwhile
        raise InvitationOver from None


@transaction.atomic
def _accept(digest: str, columns: dict[str, str]) -> User:
    found = invitation_of(digest)
    if found is None:
        raise InvitationOver
    lock_rows(User.objects.filter(pk=found.invited_by_id))
    lock_rows(Invitation.objects.filter(pk=found.pk))
    invitation = invitation_of(digest)
    if invitation is None:
        raise InvitationOver
    user = User.objects.create(email=invitation.email, **columns)
    groups = list(invitation.groups.order_by("name"))
    user.groups.set(groups)
    invitation.user = user
    invitation.save(update_fields=["user", "updated_at"])
    report(User, Change.CREATED, [user])
    report(Invitation, Change.UPDATED, [invitation])
    roles = ", ".join(group.name for group in groups)
    message = f"Accepted the invitation by {invitation.invited_by.email} as {roles}."
    LogEntry.objects.log_actions(user.pk, [user], ADDITION, message, single_object=True)
    return user


def _locked_superuser(actor: Actor) -> User:
    found = lock_rows(User.objects.filter(pk=actor.id, is_active=True, is_superuser=True))
    if not found:
        raise OnlySuperusers
    return found[0]


def _locked(rows: QuerySet[Invitation], invitation_id: str) -> Invitation:
    invitation = lock_row(rows, invitation_id)
    if invitation is None:
        raise InvitationNotFound(invitation_id)
    return invitation


def _end(rows: QuerySet[Invitation]) -> None:
    ended = lock_rows(rows.filter(deleted_at=None, user=None))
    Invitation.objects.filter(pk__in=[row.pk for row in ended]).update(deleted_at=now(), updated_at=now())
    report(Invitation, Change.DELETED, ended)


def _sent(invitation: Invitation) -> SentInvitation:
    """The email that is queued replaces the token of the previous one."""
    if not settings.PUBLIC_URL:
        raise NoPublicAddress
    secret = mail_token(KIND, invitation.pk, queue_next_mail(KIND, about=invitation.pk))
    invitation.token_digest, invitation.expires_at = token_digest(secret), now() + LIFETIME
    invitation.save(update_fields=["token_digest", "expires_at", "updated_at"])
    return SentInvitation(invitation, api_token(invitation, secret))
