"""Registering as staff: the password waits in the registration's token, and only an invitation makes it an account."""

from collections.abc import Callable

import jwt
import pytest
from cryptography.fernet import Fernet
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from auth.models import AuthIdentity
from auth.signing_in import staff_registration
from kit.safety.signed_claims import sign
from staff.actors import staff_actor
from staff.invitations import end_invitations_of, withdraw
from staff.models import Invitation, User
from tests.auth.conftest import Send, limits
from tests.contract.callers import storefront
from tests.factories.apikeys import publishable_key
from tests.factories.invitations import sent_invitation
from tests.factories.staff import PASSWORD, UserFactory
from tests.kit.graphql.calls import ask

pytestmark = [pytest.mark.once, pytest.mark.django_db]

REGISTER, LOGIN = "/auth/user/emailpass/register", "/auth/user/emailpass"
EVE, OTHER = "eve@example.com", "bob@example.com"
OVER = (400, "This invitation is no longer valid. Ask for a new one.")
NO_TOKEN = (401, "Invalid token")
SOMEBODY_ELSE = (400, "Value for field 'email' must be the email that was invited and registered")

Register = Callable[..., str]
Accept = Callable[..., tuple[int, str]]


@pytest.fixture
def register(send: Send) -> Register:
    def registered(email: str = EVE, password: str = PASSWORD) -> str:
        answer = send("POST", REGISTER, {"email": email, "password": password})
        assert answer.status_code == 200, answer.content
        token: str = answer.json()["token"]
        return token

    return registered


@pytest.fixture
def accept(send: Send) -> Accept:
    def accepted(invite_token: str, registration: str | None, **body: object) -> tuple[int, str]:
        answer = send("POST", f"/admin/invites/accept?token={invite_token}", body, token=registration)
        return answer.status_code, answer.json().get("message", "")

    return accepted


class TestAccepting:
    def test_the_invited_becomes_staff_with_the_roles_and_the_password(self, send: Send, register: Register) -> None:
        made = sent_invitation(groups=[Group.objects.create(name="Warehouse")])
        body = {"email": EVE, "first_name": "Eve", "last_name": "Lee"}
        answer = send("POST", f"/admin/invites/accept?token={made.token}", body, token=register())
        shown, user = answer.json()["user"], User.objects.get(email=EVE)
        assert answer.status_code == 200
        assert {name: shown[name] for name in ("id", "email", "first_name", "last_name", "roles", "is_superuser")} == {
            "id": user.pk,
            **body,
            "roles": ["Warehouse"],
            "is_superuser": False,
        }
        assert user.password.startswith("argon2")
        assert Invitation.objects.get().user == user
        assert LogEntry.objects.get().user == user
        token = send("POST", LOGIN, {"email": EVE, "password": PASSWORD}).json()["token"]
        assert send("GET", "/admin/users/me", token=token).json()["user"]["id"] == user.pk

    def test_by_graphql(self, send: Send) -> None:
        made = sent_invitation()
        shop = storefront(publishable_key())
        given = f'input: {{email: "{EVE}", password: "{PASSWORD}", actorType: "user"}}'
        token = ask(shop, f"mutation {{ register({given}) {{ token }} }}").json()["data"]["register"]["token"]
        given = f'input: {{token: "{made.token}", registrationToken: "{token}", firstName: "Eve"}}'
        answer = ask(shop, f"mutation {{ acceptInvite({given}) {{ user {{ email firstName }} }} }}")
        assert answer.json()["data"]["acceptInvite"]["user"] == {"email": EVE, "firstName": "Eve"}

    def test_the_email_may_be_left_out(self, register: Register, accept: Accept) -> None:
        assert accept(sent_invitation().token, register(" EVE@example.com"))[0] == 200

    def test_the_password_is_that_of_the_registration_whose_token_is_sent(
        self, send: Send, register: Register, accept: Accept
    ) -> None:
        """A stranger who registers the same email changes nothing for the invited."""
        made = sent_invitation()
        register(EVE, "an earlier one of hers")
        mine = register()
        register(EVE, "that of a stranger, later")
        assert accept(made.token, mine)[0] == 200
        for password, status in ((PASSWORD, 200), ("an earlier one of hers", 401), ("that of a stranger, later", 401)):
            assert send("POST", LOGIN, {"email": EVE, "password": password}).status_code == status


class TestWithoutAnAcceptance:
    def test_no_row_is_left_and_nobody_can_sign_in(self, send: Send, register: Register) -> None:
        sent_invitation()
        token = register()
        assert User.objects.filter(email=EVE).count() + AuthIdentity.objects.count() == 0
        assert send("POST", LOGIN, {"email": EVE, "password": PASSWORD}).status_code == 401
        for method, path in (("POST", "/auth/session"), ("POST", "/auth/token/refresh"), ("GET", "/admin/users/me")):
            assert send(method, path, token=token).status_code == 401
        update = send("POST", "/auth/user/emailpass/update", {"password": PASSWORD}, token=token)
        assert (update.status_code, update.json()["message"]) == NO_TOKEN

    def test_the_token_reveals_neither_password_nor_hash(self, register: Register) -> None:
        token = register()
        assert PASSWORD not in token
        assert "argon2" not in token
        with pytest.raises(jwt.PyJWTError):
            jwt.decode(token, options={"verify_signature": False})

    @pytest.mark.parametrize("password", ["", "x7", "password123", EVE])
    def test_the_rules_of_passwords_apply(self, send: Send, password: str) -> None:
        answer = send("POST", REGISTER, {"email": EVE, "password": password})
        assert answer.status_code == 400
        assert "'password'" in answer.json()["message"]


class TestEveryEmailIsAlike:
    """Invited, staff, former staff, a customer, or nobody: answer, statements and hashes are the same."""

    def test_answers_statements_and_hashes(self, send: Send, hashes: list[tuple[int, int]], settings: Settings) -> None:
        sent_invitation()
        UserFactory(email="staff@example.com")
        UserFactory(email="gone@example.com", is_active=False)
        seen = []
        for email in (EVE, "staff@example.com", "gone@example.com", "no@example.com"):
            hashes.clear()
            with CaptureQueriesContext(connection) as queries:
                answer = send("POST", REGISTER, {"email": email, "password": PASSWORD})
            statements = [query["sql"] for query in queries.captured_queries]
            assert not any("staff_" in statement for statement in statements)
            seen.append((answer.status_code, [*answer.json()], len(statements), len(hashes)))
        assert seen == [(200, ["token"], seen[0][2], 1)] * 4

    def test_a_flood_from_one_address_is_refused(self, send: Send, settings: Settings) -> None:
        settings.THROTTLES = limits(account=1, client=3)
        answers = [send("POST", REGISTER, {"email": EVE, "password": PASSWORD}).status_code for _ in range(4)]
        assert answers == [200, 200, 200, 429]


class TestAttacks:
    def test_with_only_one_of_both(self, register: Register, accept: Accept) -> None:
        made = sent_invitation()
        assert accept("", register()) == (400, "Field 'token' is required")
        assert accept(made.token, None) == NO_TOKEN
        assert not User.objects.filter(email=EVE).exists()

    def test_twice(self, register: Register, accept: Accept) -> None:
        made, token = sent_invitation(), register()
        assert accept(made.token, token)[0] == 200
        assert accept(made.token, token) == OVER
        assert accept(made.token, register(EVE, "another one altogether")) == OVER
        assert User.objects.get(email=EVE).check_password(PASSWORD)

    def test_with_the_registration_of_somebody_else(self, register: Register, accept: Accept) -> None:
        made = sent_invitation()
        assert accept(made.token, register(OTHER)) == SOMEBODY_ELSE
        assert accept(made.token, register(OTHER), email=OTHER) == SOMEBODY_ELSE
        assert accept(made.token, register(), email=OTHER) == SOMEBODY_ELSE
        assert not User.objects.filter(email__in=[EVE, OTHER]).exists()

    def test_with_more_than_names_in_the_body(self, register: Register, accept: Accept) -> None:
        made, token = sent_invitation(), register()
        for more in ({"is_superuser": True}, {"roles": ["Owners"]}, {"password": PASSWORD}):
            status, message = accept(made.token, token, **more)
            assert (status, message) == (400, f"Invalid request: Unrecognized fields: '{next(iter(more))}'")
        assert accept(made.token, token, first_name="x" * 151)[0] == 400

    def test_with_tokens_of_other_kinds(self, send: Send, register: Register, accept: Accept, user: User) -> None:
        made, token = sent_invitation(), register()
        access = send("POST", LOGIN, {"email": user.email, "password": PASSWORD}).json()["token"]
        for wrong in (access, made.token, "x", "é", Fernet(Fernet.generate_key()).encrypt(b'["a","b"]').decode()):
            assert accept(made.token, wrong) == NO_TOKEN, wrong
        claims = jwt.decode(made.token, options={"verify_signature": False})
        forged = jwt.encode(claims, "another secret that is long enough to sign with", algorithm="HS256")
        unsigned = jwt.encode(claims, None, algorithm="none")
        other_use = sign({**claims, "aud": "password-reset"})
        for wrong in (access, token, "x", "%00", forged, unsigned, other_use, claims["jti"], f"{made.token}x"):
            assert accept(wrong, token)[0] == 400, wrong
        assert not User.objects.filter(email=EVE).exists()

    def test_an_invitations_token_opens_nothing_else(self, send: Send) -> None:
        token = sent_invitation().token
        for method, path in (("GET", "/admin/users/me"), ("POST", "/auth/session"), ("POST", "/auth/token/refresh")):
            assert send(method, path, token=token).status_code == 401
        assert send("POST", "/auth/user/emailpass/update", {"password": PASSWORD}, token=token).status_code == 401

    def test_with_a_registration_of_an_hour_ago(
        self, register: Register, accept: Accept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made, token = sent_invitation(), register()
        monkeypatch.setattr(staff_registration, "LIFETIME_SECONDS", -1)
        assert accept(made.token, token) == NO_TOKEN

    @pytest.mark.parametrize("lost", ["is_active", "is_superuser"])
    def test_after_the_inviter_has_lost_their_rights(self, register: Register, accept: Accept, lost: str) -> None:
        made = sent_invitation()
        User.objects.filter(pk=made.invitation.invited_by_id).update(**{lost: False})
        assert accept(made.token, register()) == OVER

    def test_after_it_was_withdrawn_replaced_or_has_expired(self, register: Register, accept: Accept) -> None:
        token, first = register(), sent_invitation()
        second = sent_invitation()
        assert accept(first.token, token) == OVER
        withdraw(actor=staff_actor(second.invitation.invited_by), invitation_id=second.invitation.pk)
        assert accept(second.token, token) == OVER
        third = sent_invitation()
        Invitation.objects.update(expires_at="2026-01-01T00:00:00Z")
        assert accept(third.token, token) == OVER
        fourth = sent_invitation()
        end_invitations_of(fourth.invitation.invited_by)
        assert accept(fourth.token, token) == OVER
        assert not User.objects.filter(email=EVE).exists()

    def test_when_the_email_has_become_staff_meanwhile(self, register: Register, accept: Accept) -> None:
        made = sent_invitation()
        UserFactory(email=EVE, password="!")
        assert accept(made.token, register()) == OVER
        assert not User.objects.get(email=EVE).has_usable_password()
