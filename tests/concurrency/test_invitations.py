"""Invitations that are accepted, replaced or ended at the same moment."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from kit.messages.mails.tokens import token_digest
from kit.values.timestamps import now
from staff.actors import staff_actor
from staff.errors import InvitationOver
from staff.invitations import LIFETIME, accept, end_invitations_of, invite
from staff.models import Invitation, User
from tests.concurrency.crowd import at_once
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
DIGEST = token_digest("token")


@pytest.fixture
def invitation(settings) -> Invitation:
    settings.PUBLIC_URL = "https://api.shop.example"
    inviter, group = UserFactory(is_superuser=True), Group.objects.create(name="Warehouse")
    made = invite(actor=staff_actor(inviter), email="eve@example.com", groups=[group]).invitation
    Invitation.objects.update(token_digest=DIGEST, expires_at=now() + LIFETIME)
    return made


def accepted(name: str) -> bool:
    try:
        accept(digest=DIGEST, hashed="!", first_name=name, last_name="")
    except InvitationOver:
        return False
    return True


def test_accepted_twice_at_once_it_makes_one_user(invitation, seen_deadlocks):
    assert sorted(at_once(lambda number: accepted(str(number)), threads=4)) == [False, False, False, True]
    user = User.objects.get(email="eve@example.com")
    assert Invitation.objects.get().user == user


def test_the_form_sent_twice_at_once_makes_one_user(invitation):
    clients = [Client(), Client()]
    for client in clients:
        client.get("/admin/invitation/token/")
    given = {"first_name": "Eve", "password1": "staple battery horse", "password2": "staple battery horse"}
    answers = at_once(lambda number: clients[number].post("/admin/invitation/", given).status_code, threads=2)
    assert sorted(answers) == [302, 404]
    assert User.objects.filter(email="eve@example.com").count() == 1


def test_two_invitations_of_one_person_at_once_leave_one_open(invitation, seen_deadlocks):
    inviters = [UserFactory(is_superuser=True) for _ in range(4)]
    at_once(lambda number: invite(actor=staff_actor(inviters[number]), email="eve@example.com", groups=[]), threads=4)
    assert Invitation.objects.count() == 5
    assert Invitation.objects.filter(deleted_at=None).count() == 1


def test_accepted_while_it_ends_it_makes_a_user_or_ends(invitation, seen_deadlocks):
    def race(number: int) -> bool:
        if number:
            return accepted("Eve")
        end_invitations_of(invitation.invited_by)
        return False

    is_accepted = any(at_once(race, threads=2))
    invitation.refresh_from_db()
    assert (invitation.user is not None, invitation.deleted_at is None) == (is_accepted, is_accepted)
    assert User.objects.filter(email="eve@example.com").exists() == is_accepted
