"""The verbs of invitations as programs call them: with names of roles, and an entry in the history."""

from collections.abc import Sequence

from django.contrib.admin.models import ADDITION, CHANGE, DELETION
from django.contrib.auth.models import Group
from django.db import transaction

from kit.domain.actor import Actor
from kit.errors import InvalidData, shown
from kit.values.metadata import Metadata
from kit.values.text import is_storable
from staff import invitations
from staff.history import record
from staff.invitations import SentInvitation


@transaction.atomic
def invite(
    *, actor: Actor, email: str, roles: Sequence[str] | None = None, metadata: Metadata | None = None
) -> SentInvitation:
    """Invite by email. roles: their names; by default none.

    Raises InvalidData for an unknown role, and what `invitations.invite` does.
    """
    groups = Group.objects.filter(name__in=[name for name in roles or () if is_storable(name)])
    unknown = sorted({*(roles or ())} - {group.name for group in groups})
    if unknown:
        raise InvalidData(f"There is no role '{shown(unknown[0])}', given by field 'roles'")
    sent = invitations.invite(actor=actor, email=email, groups=groups, metadata=metadata)
    record(ADDITION, [sent.invitation], actor=actor)
    return sent


@transaction.atomic
def resend(*, actor: Actor, id: str) -> SentInvitation:
    """Send another email. Raises what `invitations.resend` does."""
    sent = invitations.resend(actor=actor, invitation_id=id)
    record(CHANGE, [sent.invitation], actor=actor, message="Sent again.")
    return sent


@transaction.atomic
def withdraw(*, actor: Actor, id: str) -> None:
    """End the invitation. Raises what `invitations.withdraw` does."""
    record(DELETION, [invitations.withdraw(actor=actor, invitation_id=id)], actor=actor)
