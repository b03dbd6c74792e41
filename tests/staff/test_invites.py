"""The routes of invitations: for superusers, within the limit of their key. Tokens are only where they are made."""

import jwt
import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.test import Client
from pytest_django import Settings

from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from kit.messages.mails.tokens import mail_token, token_digest
from staff.models import Invitation, User
from tests.contract.callers import Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.invitations import invitation, sent_invitation
from tests.factories.staff import UserFactory
from tests.kit.graphql.calls import ask

pytestmark = [pytest.mark.once, pytest.mark.django_db]

PATH = "/admin/invites"
EVERY = [f"staff.{act}_invitation" for act in ("add", "view", "change", "delete")]
BEYOND = (403, "This needs rights that you do not have: you cannot give or manage more than your own")


@pytest.fixture
def boss() -> User:
    return UserFactory(email="boss@example.com", is_superuser=True)


@pytest.fixture
def admin(boss: User) -> Caller:
    return importer(secret_key(boss))


@pytest.fixture
def owners() -> Group:
    group = Group.objects.create(name="Owners")
    group.permissions.add(Permission.objects.get(codename="cancel_order"))
    return group


class TestInviting:
    def test_the_answer_has_the_token_and_the_person_an_email(self, admin: Caller, boss: User, owners: Group) -> None:
        sent = {"email": " Eve@Example.com", "roles": ["Owners"], "metadata": {"team": "a"}}
        shown = admin.post(PATH, sent).json()["invite"]
        made = Invitation.objects.get()
        claims = jwt.decode(shown["token"], options={"verify_signature": False})
        assert {name: shown[name] for name in ("id", "email", "accepted", "roles", "metadata", "deleted_at")} == {
            "id": made.pk,
            "email": "eve@example.com",
            "accepted": False,
            "roles": ["Owners"],
            "metadata": {"team": "a"},
            "deleted_at": None,
        }
        assert (claims["id"], claims["email"]) == (made.pk, "eve@example.com")
        assert claims["exp"] - claims["iat"] in range(72 * 3600 - 5, 72 * 3600 + 1)
        assert made.token_digest == token_digest(claims["jti"])
        assert shown["token"] not in str(list(Invitation.objects.values())) + str(list(Mail.objects.values()))
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id, entry.action_flag) == (boss, made.pk, 1)
        send_due()
        assert [one.to for one in mail.outbox] == [["eve@example.com"]]
        assert f"/admin/invitation/{claims['jti']}/" in mail.outbox[0].body

    @pytest.mark.parametrize(
        ("sent", "message"),
        [
            ({}, "Invalid request: Field 'email' is required"),
            ({"email": ""}, "Invalid request: Value for field 'email' must not be empty"),
            ({"email": "e@example.com", "roles": ["Nobody"]}, "There is no role 'Nobody', given by field 'roles'"),
            ({"email": "e@example.com", "is_superuser": True}, "Invalid request: Unrecognized fields: 'is_superuser'"),
        ],
    )
    def test_bad_input_names_its_field(self, admin: Caller, sent: dict[str, object], message: str) -> None:
        assert refusal(admin.post(PATH, sent)) == (400, message)
        assert not Invitation.objects.exists()

    def test_whoever_is_staff_is_not_invited(self, admin: Caller, boss: User) -> None:
        assert admin.post(PATH, {"email": boss.email}).status_code == 422

    def test_without_a_public_address_there_are_none(self, admin: Caller, settings: Settings) -> None:
        settings.PUBLIC_URL = ""
        assert refusal(admin.post(PATH, {"email": "eve@example.com"}))[0] == 400
        assert not Invitation.objects.exists()

    def test_by_graphql(self, admin: Caller) -> None:
        answer = ask(admin, 'mutation { createInvite(input: {email: "eve@example.com"}) { invite { id token } } }')
        made = answer.json()["data"]["createInvite"]["invite"]
        assert jwt.decode(made["token"], options={"verify_signature": False})["id"] == made["id"]
        again = ask(admin, f'mutation {{ resendInvite(id: "{made["id"]}") {{ invite {{ token }} }} }}').json()
        assert again["data"]["resendInvite"]["invite"]["token"] not in ("", made["token"])
        assert ask(admin, "{ invites { invites { token } } }").json()["data"]["invites"]["invites"] == [{"token": ""}]
        gone = ask(admin, f'mutation {{ deleteInvite(id: "{made["id"]}") {{ deleted }} }}').json()
        assert gone == {"data": {"deleteInvite": {"deleted": True}}}


class TestTokens:
    def test_no_other_answer_has_one(self, admin: Caller) -> None:
        made = sent_invitation()
        for answer in (admin.get(PATH), admin.get(f"{PATH}/{made.invitation.pk}"), admin.get(PATH, "fields=token")):
            assert made.token not in answer.content.decode()
            assert '"token":""' in answer.content.decode()

    def test_a_repeated_key_gets_it_again_and_sends_nothing(self, admin: Caller) -> None:
        first, second = (admin.post(PATH, {"email": "e@example.com"}, Idempotency_Key="e" * 20) for _ in range(2))
        assert first.content == second.content
        assert Mail.objects.count() == 1

    def test_sending_again_ends_the_previous_one_and_extends_the_lifetime(self, admin: Caller, boss: User) -> None:
        made = sent_invitation()
        send_due()
        Invitation.objects.update(expires_at="2026-01-01T00:00:00Z")
        shown = admin.post(f"{PATH}/{made.invitation.pk}/resend").json()["invite"]
        assert (shown["id"], shown["token"] == made.token) == (made.invitation.pk, False)
        assert shown["expires_at"] > "2026-11"
        fresh = jwt.decode(shown["token"], options={"verify_signature": False})["jti"]
        for secret, status in ((mail_token("invitation", made.invitation.pk, 1), 404), (fresh, 200)):
            client = Client()
            client.get(f"/admin/invitation/{secret}/")
            assert client.get("/admin/invitation/").status_code == status
        assert LogEntry.objects.get().get_change_message() == "Sent again."

    def test_an_email_that_was_late_does_not_bring_the_previous_token_back(self, admin: Caller) -> None:
        made = sent_invitation()
        fresh = admin.post(f"{PATH}/{made.invitation.pk}/resend").json()["invite"]["token"]
        send_due()  # both
        assert len(mail.outbox) == 1
        secret = jwt.decode(fresh, options={"verify_signature": False})["jti"]
        assert Invitation.objects.get().token_digest == token_digest(secret)

    @pytest.mark.parametrize("ended", [{"deleted_at": "2026-01-01T00:00:00Z"}, {"invited_by__is_active": False}])
    def test_what_has_ended_is_not_sent_again(self, admin: Caller, ended: dict[str, object]) -> None:
        made = invitation()
        if "deleted_at" in ended:
            Invitation.objects.update(**ended)
        else:
            User.objects.filter(pk=made.invited_by_id).update(is_active=False)
        assert admin.post(f"{PATH}/{made.pk}/resend").status_code == 404

    def test_nor_what_was_accepted_or_nobody_knows(self, admin: Caller) -> None:
        made = invitation(user=UserFactory(email="eve@example.org"))
        for path in (f"{made.pk}/resend", "invite_x/resend"):
            assert admin.post(f"{PATH}/{path}").status_code == 404
        assert admin.send("DELETE", f"{PATH}/{made.pk}").status_code == 404
        assert admin.get(f"{PATH}/{made.pk}").json()["invite"]["accepted"] is True


class TestRights:
    def test_permissions_alone_open_nothing(self, owners: Group) -> None:
        made = invitation()
        clerk = importer(secret_key(UserFactory(permissions=EVERY)))
        only = (403, "Only superusers may invite staff")
        assert refusal(clerk.post(PATH, {"email": "bob@example.com"})) == only
        assert refusal(clerk.post(f"{PATH}/{made.pk}/resend")) == only
        assert refusal(clerk.send("DELETE", f"{PATH}/{made.pk}")) == only
        assert clerk.get(PATH).json()["invites"] == []
        assert clerk.get(f"{PATH}/{made.pk}").status_code == 404
        assert Invitation.objects.filter(deleted_at=None).count() == 1

    def test_a_limited_key_gives_no_role_beyond_its_limit(self, boss: User, owners: Group) -> None:
        limited = importer(secret_key(boss, permissions=EVERY))
        assert refusal(limited.post(PATH, {"email": "bob@example.com", "roles": ["Owners"]})) == BEYOND
        assert not Invitation.objects.exists()
        assert limited.post(PATH, {"email": "bob@example.com", "roles": []}).status_code == 200
        wider = importer(secret_key(boss, permissions=[*EVERY, "orders.cancel_order"]))
        assert wider.post(PATH, {"email": "eve@example.com", "roles": ["Owners"]}).status_code == 200

    def test_nor_the_token_of_such_an_invitation(self, boss: User, owners: Group) -> None:
        made = sent_invitation(groups=[owners]).invitation
        answer = importer(secret_key(boss, permissions=EVERY)).post(f"{PATH}/{made.pk}/resend")
        assert refusal(answer) == BEYOND
        assert Mail.objects.count() == 1

    def test_a_superuser_who_was_demoted_or_deactivated_invites_nobody(self, boss: User, admin: Caller) -> None:
        User.objects.filter(pk=boss.pk).update(is_superuser=False)
        boss.user_permissions.set(Permission.objects.filter(codename__endswith="_invitation"))
        assert admin.post(PATH, {"email": "bob@example.com"}).status_code == 403
        User.objects.filter(pk=boss.pk).update(is_active=False)
        assert admin.post(PATH, {"email": "bob@example.com"}).status_code == 401

    def test_withdrawing_ends_it_and_is_recorded(self, admin: Caller) -> None:
        made = invitation()
        assert admin.send("DELETE", f"{PATH}/{made.pk}").json() == {"id": made.pk, "object": "invite", "deleted": True}
        assert admin.send("DELETE", f"{PATH}/{made.pk}").status_code == 404
        assert admin.get(f"{PATH}/{made.pk}").status_code == 404
        assert LogEntry.objects.get().action_flag == 3
