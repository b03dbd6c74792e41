"""Inviting people to become staff, and accepting an invitation.

The token of the email lets its bearer choose the password, so only superusers invite, and an invitation ends with
its inviter's rights. Verbs lock the inviter before invitations.
"""

from collections.abc import Collection
from datetime import timedelta

from django.conf import settings
from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.db.models import Q

from kit.database.locking import lock_named, lock_rows
from kit.messages.mails.queueing import queue_mail
from kit.values import email_address
from kit.values.timestamps import now
from staff.errors import AlreadyStaff, InvitationOver, NoPublicAddress, OnlySuperusers
from staff.models import Invitation, User

LIFETIME = timedelta(hours=72)
KIND = "invitation"


def is_open() -> Q:
    """Invitations that were neither accepted nor withdrawn, of inviters who may still invite. They may have expired."""
    return Q(deleted_at=None, user=None, invited_by__is_active=True, invited_by__is_superuser=True)


@transaction.atomic
def invite(*, inviter_id: str, email: str, groups: Collection[Group]) -> Invitation:
    """Invite by email, and end an earlier invitation of that address.

    Raises InvalidData for a malformed email, NoPublicAddress, OnlySuperusers, AlreadyStaff.
    """
    address = email_address.checked(email)
    if not settings.PUBLIC_URL:
        raise NoPublicAddress
    if not lock_rows(User.objects.filter(pk=inviter_id, is_active=True, is_superuser=True)):
        raise OnlySuperusers
    lock_named(f"{KIND} {address}")
    if User.objects.filter(email=address).exists():
        raise AlreadyStaff(address)
    Invitation.objects.filter(email=address, deleted_at=None, user=None).update(deleted_at=now())
    invitation: Invitation = Invitation.objects.create(email=address, invited_by_id=inviter_id)
    invitation.groups.set(groups)
    queue_mail(KIND, about=invitation.pk)
    return invitation


def withdraw(invitation_id: str) -> None:
    """End the invitation, unless it was accepted."""
    Invitation.objects.filter(pk=invitation_id, deleted_at=None, user=None).update(deleted_at=now())


def end_invitations_of(inviter: User) -> None:
    """End all invitations of a user who may no longer invite, so that they stay ended if the user may again."""
    Invitation.objects.filter(invited_by=inviter, deleted_at=None, user=None).update(deleted_at=now())


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
    roles = ", ".join(group.name for group in groups)
    message = f"Accepted the invitation by {invitation.invited_by.email} as {roles}."
    LogEntry.objects.log_actions(user.pk, [user], ADDITION, message, single_object=True)
    return user
