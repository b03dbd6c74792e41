"""Invitations for tests."""

from typing import Any

from staff.actors import staff_actor
from staff.invitations import SentInvitation, invite
from staff.models import Invitation
from tests.factories.staff import UserFactory


def sent_invitation(email: str = "eve@example.com", **given: Any) -> SentInvitation:
    """One by a superuser, with no role unless `groups` are given."""
    return invite(actor=staff_actor(UserFactory(is_superuser=True)), email=email, **{"groups": [], **given})


def invitation(email: str = "eve@example.com", **columns: Any) -> Invitation:
    """The same, with these columns."""
    made = sent_invitation(email).invitation
    Invitation.objects.filter(pk=made.pk).update(**columns, updated_at=made.updated_at)
    return made
