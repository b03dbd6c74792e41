"""Superusers who delete each other at the same moment, and invitations that are accepted while their inviter goes."""

import pytest

from kit.errors import DomainError
from staff.actors import staff_actor
from staff.errors import InvitationOver
from staff.invitation_tokens import digest_in
from staff.invitations import accept
from staff.models import Invitation, User
from staff.user_editing import VERBS
from tests.concurrency.crowd import at_once
from tests.factories.invitations import sent_invitation
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_of_two_superusers_who_delete_each_other_stays(seen_deadlocks) -> None:
    users = [UserFactory(is_superuser=True) for _ in range(2)]

    def delete(number: int) -> bool:
        try:
            VERBS.delete(actor=staff_actor(users[number]), ids=[users[1 - number].pk])
        except DomainError:
            return False
        return True

    assert sorted(at_once(delete, threads=2)) == [False, True]
    assert User.objects.filter(is_superuser=True, is_active=True).count() == 1


def test_accepted_while_the_inviter_is_deleted_it_makes_a_user_or_ends(seen_deadlocks) -> None:
    boss, sent = UserFactory(is_superuser=True), sent_invitation()
    inviter_id, digest = sent.invitation.invited_by_id, digest_in(sent.token)

    def race(number: int) -> bool:
        if number:
            VERBS.delete(actor=staff_actor(boss), ids=[inviter_id])
            return False
        try:
            accept(digest=digest, hashed="!", first_name="Eve", last_name="")
        except InvitationOver:
            return False
        return True

    is_accepted = any(at_once(race, threads=2))
    invitation = Invitation.objects.get()
    assert (invitation.user is not None, invitation.deleted_at is None) == (is_accepted, is_accepted)
    assert User.objects.filter(email="eve@example.com").exists() == is_accepted
