"""Superusers invite staff by email; the invited choose their passwords."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from pytest_django import Settings

from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token, token_digest
from kit.values.timestamps import now
from staff.actors import staff_actor
from staff.invitations import invitation_of, invite
from staff.models import Invitation, User
from tests.factories.staff import UserFactory
from tests.kit.admin.forms import save
from tests.kit.admin.visits import history, refusals, superuser, visitor

pytestmark = pytest.mark.django_db

LIST, ADD, ACCEPT = "/admin/staff/invitation/", "/admin/staff/invitation/add/", "/admin/invitation/"
PASSWORD = "staple battery horse correct"
GIVEN = {"first_name": "Eve", "last_name": "Lee", "password1": PASSWORD, "password2": PASSWORD}
OVER = "This invitation is no longer valid. Ask for a new one."


@pytest.fixture(autouse=True)
def address(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://api.shop.example"


@pytest.fixture
def warehouse() -> Group:
    return Group.objects.create(name="Warehouse")


def invited(group: Group, email: str = "eve@example.com", inviter: User | None = None) -> tuple[Invitation, str]:
    """An invitation whose email was sent, and its token."""
    inviter = inviter or UserFactory(is_superuser=True)
    invitation = invite(actor=staff_actor(inviter), email=email, groups=[group]).invitation
    send_due()
    invitation.refresh_from_db()
    return invitation, mail_token("invitation", invitation.pk, 1)


def opened(token: str) -> Client:
    """A browser that has followed the email's link."""
    client = Client()
    client.get(f"{ACCEPT}{token}/")
    return client


def is_over(token: str) -> bool:
    answer = opened(token).get(ACCEPT)
    assert (answer.status_code == 404) == (OVER in answer.content.decode())
    return answer.status_code == 404


class TestInviting:
    def test_a_superuser_names_an_email_and_roles(self, warehouse: Group) -> None:
        client = superuser()
        answer = client.post(ADD, {"email": " Eve@Example.com", "groups": [warehouse.name]})
        assert answer.status_code == 302
        invitation = Invitation.objects.get()
        assert (invitation.email, invitation.invited_by, list(invitation.groups.all())) == (
            "eve@example.com",
            client.user,
            [warehouse],
        )
        assert not User.objects.filter(email="eve@example.com").exists()
        assert history() == [("Invitation of eve@example.com", 1)]
        send_due()
        (sent,) = mail.outbox
        token = mail_token("invitation", invitation.pk, 1)
        assert sent.to == ["eve@example.com"]
        assert f"https://api.shop.example/admin/invitation/{token}/" in sent.body
        assert f"{client.user.email} invites you to work at" in sent.body
        assert "as Warehouse." in sent.body

    def test_only_the_digest_of_the_token_is_stored_and_it_is_valid_for_72_hours(self, warehouse: Group) -> None:
        before = now()
        invitation, token = invited(warehouse)
        assert len(token) == 43
        assert invitation.token_digest == token_digest(token)
        assert before + timedelta(hours=72) <= invitation.expires_at <= now() + timedelta(hours=72)
        assert token not in str(list(Mail.objects.values()))
        assert token not in superuser().get(f"{LIST}{invitation.pk}/change/").content.decode()

    def test_without_roles_the_form_says_who_creates_them(self) -> None:
        assert "`setup_roles`" in superuser().get(ADD).content.decode()
        Group.objects.create(name="Warehouse")
        assert "`setup_roles`" not in superuser().get(ADD).content.decode()

    def test_the_same_person_is_invited_again_by_the_form(self, warehouse: Group) -> None:
        _, old = invited(warehouse)
        answer = superuser().post(ADD, {"email": "Eve@example.com", "groups": [warehouse.name]})
        assert answer.status_code == 302
        assert is_over(old)
        assert Invitation.objects.filter(deleted_at=None).count() == 1

    def test_without_a_public_address_there_are_none(self, settings: Settings, warehouse: Group) -> None:
        settings.PUBLIC_URL = ""
        answer = superuser().post(ADD, {"email": "eve@example.com", "groups": [warehouse.name]})
        assert refusals(answer) == [
            "Set PUBLIC_URL to invite staff: the link in the email needs the address of this server"
        ]
        assert not Invitation.objects.exists()
        assert not Mail.objects.exists()

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"email": "nonsense"}, "email"),
            ({"email": ""}, "email"),
            ({"email": "eve\0@example.com"}, "email"),
            ({"groups": []}, "groups"),
            ({"groups": ["99999"]}, "groups"),
            ({"groups": ["9" * 40]}, "groups"),
            ({"email": "\u212aelvin@example.com"}, "email"),
        ],
    )
    def test_errors_name_their_field(self, warehouse: Group, given: dict[str, Any], field: str) -> None:
        answer = superuser().post(ADD, {"email": "eve@example.com", "groups": [warehouse.name], **given})
        assert answer.status_code == 200
        assert list(answer.context["adminform"].form.errors) == [field]
        assert not Invitation.objects.exists()

    def test_whoever_is_staff_is_not_invited(self, warehouse: Group) -> None:
        UserFactory(email="eve@example.com", is_active=False)
        answer = superuser().post(ADD, {"email": "EVE@example.com", "groups": [warehouse.name]})
        assert refusals(answer) == ["There is already a member of staff with the email 'eve@example.com'"]

    def test_others_than_superusers_see_and_do_nothing(self, warehouse: Group) -> None:
        invitation, _ = invited(warehouse)
        every = [f"staff.{act}_invitation" for act in ("view", "add", "change", "delete")]
        client = visitor(*every, "staff.view_user")
        page = f"{LIST}{invitation.pk}"
        for path in (LIST, ADD, f"{page}/change/", f"{page}/delete/", f"{page}/history/"):
            assert client.get(path).status_code == 403, path
        assert client.post(ADD, {"email": "adam@example.com", "groups": [warehouse.name]}).status_code == 403
        assert client.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
        assert Invitation.objects.filter(deleted_at=None).count() == 1


class TestAccepting:
    def test_the_link_leads_to_a_page_without_the_token(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        client = Client()
        answer = client.get(f"{ACCEPT}{token}/")
        assert (answer.status_code, answer["Location"]) == (302, ACCEPT)
        assert answer["Referrer-Policy"] == "no-referrer"
        assert "no-store" in answer["Cache-Control"]
        page = client.get(ACCEPT)
        assert token not in page.content.decode()
        assert "eve@example.com" in page.content.decode()
        assert "Referrer-Policy" not in page or page["Referrer-Policy"] != "no-referrer"  # CSRF needs the origin
        assert token not in str([each.get_decoded() for each in Session.objects.all()])

    def test_the_person_becomes_staff_with_those_roles_and_logs_in(self, warehouse: Group) -> None:
        invitation, token = invited(warehouse)
        client = opened(token)
        answer = client.post(ACCEPT, GIVEN)
        assert (answer.status_code, answer["Location"]) == (302, "/admin/login/")
        user = User.objects.get(email="eve@example.com")
        assert (user.first_name, user.last_name, user.is_superuser, user.is_active) == ("Eve", "Lee", False, True)
        assert list(user.groups.all()) == [warehouse]
        assert not user.user_permissions.exists()
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id, entry.action_flag) == (user, user.pk, 1)
        assert entry.change_message == f"Accepted the invitation by {invitation.invited_by.email} as Warehouse."
        login = client.post("/admin/login/", {"username": "eve@example.com", "password": PASSWORD, "next": "/admin/"})
        assert (login.status_code, login["Location"]) == (302, "/admin/")

    def test_it_works_once(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        first, second = opened(token), opened(token)
        assert first.post(ACCEPT, GIVEN).status_code == 302
        answer = second.post(ACCEPT, {**GIVEN, "password1": "another good secret", "password2": "another good secret"})
        assert answer.status_code == 404
        assert OVER in answer.content.decode()
        assert User.objects.get(email="eve@example.com").check_password(PASSWORD)
        assert is_over(token)

    def test_the_form_begins_at_the_first_field(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        fields = opened(token).get(ACCEPT).context["form"].fields
        assert [name for name, field in fields.items() if field.widget.attrs.get("autofocus")] == ["first_name"]

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"password1": "12345678", "password2": "12345678"}, "password2"),
            ({"password2": "other"}, "password2"),
            ({"password1": "", "password2": ""}, "password1"),
            ({"first_name": ""}, "first_name"),
            ({"first_name": "x" * 151}, "first_name"),
            ({"last_name": "a\0b"}, "last_name"),
            ({"password1": "eve@example.com", "password2": "eve@example.com"}, "password2"),
        ],
    )
    def test_errors_name_their_field_and_lose_nothing(
        self, warehouse: Group, given: dict[str, str], field: str
    ) -> None:
        _, token = invited(warehouse)
        client = opened(token)
        answer = client.post(ACCEPT, {**GIVEN, **given})
        assert answer.status_code == 200
        assert field in answer.context["form"].errors
        assert not User.objects.filter(email="eve@example.com").exists()
        assert client.post(ACCEPT, GIVEN).status_code == 302

    def test_another_field_grants_nothing(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        more = {"is_superuser": "on", "email": "adam@example.com", "groups": "1", "username": "adam@example.com"}
        opened(token).post(ACCEPT, {**GIVEN, **more})
        user = User.objects.get(first_name="Eve")
        assert (user.email, user.is_superuser) == ("eve@example.com", False)

    def test_there_is_no_account_without_a_password(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        given = {**GIVEN, "usable_password": "false", "password1": "", "password2": ""}
        answer = opened(token).post(ACCEPT, given)
        assert list(answer.context["form"].errors) == ["password1", "password2"]
        assert not User.objects.filter(email="eve@example.com").exists()

    def test_a_password_that_looks_like_a_hash_is_hashed(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        hashed = make_password("short")
        assert opened(token).post(ACCEPT, {**GIVEN, "password1": hashed, "password2": hashed}).status_code == 302
        user = User.objects.get(email="eve@example.com")
        assert user.check_password(hashed)
        assert not user.check_password("short")

    @pytest.mark.parametrize("token", ["a", "a%00b", "x" * 5_000, "%F0%9F%98%80", "..%2F"])
    def test_a_wrong_token_opens_nothing_and_leaves_no_session(self, warehouse: Group, token: str) -> None:
        invited(warehouse)
        client = Client()
        assert client.get(f"{ACCEPT}{token}/").status_code in (302, 404)
        assert client.get(ACCEPT).status_code == 404
        assert client.post(ACCEPT, GIVEN).status_code == 404
        assert not Session.objects.exists()

    def test_other_sites_cannot_send_the_form(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        client = Client(enforce_csrf_checks=True)
        client.get(f"{ACCEPT}{token}/")
        assert client.post(ACCEPT, GIVEN).status_code == 403
        page = client.get(ACCEPT).content.decode()
        field = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert field is not None
        assert client.post(ACCEPT, {**GIVEN, "csrfmiddlewaretoken": field[1]}).status_code == 302


class TestWhatEndsOne:
    def test_time(self, warehouse: Group) -> None:
        invitation, token = invited(warehouse)
        late = opened(token)
        Invitation.objects.filter(pk=invitation.pk).update(expires_at=now())
        assert is_over(token)
        assert late.post(ACCEPT, GIVEN).status_code == 404

    def test_another_invitation_of_the_same_person(self, warehouse: Group) -> None:
        _, old = invited(warehouse)
        _, new = invited(warehouse, "EVE@example.com")
        assert is_over(old)
        assert not is_over(new)
        assert Invitation.objects.filter(deleted_at=None).count() == 1

    def test_withdrawal(self, warehouse: Group) -> None:
        invitation, token = invited(warehouse)
        assert superuser().post(f"{LIST}{invitation.pk}/delete/", {"post": "yes"}).status_code == 302
        assert is_over(token)

    @pytest.mark.parametrize("lost", ["is_active", "is_superuser"])
    def test_an_inviter_who_may_no_longer_invite_for_good(self, warehouse: Group, lost: str) -> None:
        inviter, client = UserFactory(is_superuser=True), superuser()
        invitation, token = invited(warehouse, inviter=inviter)
        page = f"/admin/staff/user/{inviter.pk}/change/"
        given = {"email": inviter.email, "is_active": "on", "is_superuser": "on"}
        assert save(client, page, {name: value for name, value in given.items() if name != lost}).status_code == 302
        assert is_over(token)
        assert save(client, page, given).status_code == 302
        assert User.objects.get(pk=inviter.pk).is_superuser
        assert is_over(token)
        assert "Ended" in client.get(f"{LIST}{invitation.pk}/change/").content.decode()

    @pytest.mark.parametrize("lost", ["is_active", "is_superuser"])
    def test_one_demoted_outside_the_site_too(self, warehouse: Group, lost: str) -> None:
        inviter = UserFactory(is_superuser=True)
        _, token = invited(warehouse, inviter=inviter)
        User.objects.filter(pk=inviter.pk).update(**{lost: False})
        assert is_over(token)

    def test_an_ended_one_gets_no_mail(self, warehouse: Group) -> None:
        inviter = UserFactory(is_superuser=True)
        invitation = invite(actor=staff_actor(inviter), email="eve@example.com", groups=[warehouse]).invitation
        Invitation.objects.update(deleted_at=now())
        send_due()
        assert mail.outbox == []
        assert invitation_of(token_digest(mail_token("invitation", invitation.pk, 1))) is None

    def test_a_user_of_that_email_who_was_added_meanwhile(self, warehouse: Group) -> None:
        _, token = invited(warehouse)
        client = opened(token)
        UserFactory(email="eve@example.com")
        assert client.post(ACCEPT, GIVEN).status_code == 404
        assert User.objects.filter(email="eve@example.com").count() == 1
