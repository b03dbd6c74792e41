"""A new password by email: who gets one, what it opens, and that nobody learns who has an account."""

import re
from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPServerDisconnected

import jwt
import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from auth.models import AuthIdentity, PasswordReset
from auth.passwords.password_reset import queue_reset_mail
from auth.tokens.tokens import verify
from kit.messages.mails.models import Mail
from kit.messages.mails.sending import send_due
from tests.auth.conftest import Send, limits, token_of
from tests.factories.customers import CustomerFactory, IdentityFactory, registration_token
from tests.factories.staff import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
FRESH = "lapsang, no sugar, 1912"
INVALID = (401, {"type": "unauthorized", "message": "Invalid token"})


def identity(email: str = "eve@example.com") -> AuthIdentity:
    CustomerFactory(email=email)
    return AuthIdentity.objects.get(email=email)


def ask(send: Send, email: object = "eve@example.com", actor_type: str = "customer") -> tuple[int, bytes, str]:
    answer = send("POST", f"/auth/{actor_type}/emailpass/reset-password", {"identifier": email})
    return answer.status_code, answer.content, answer["Content-Type"]


def mailed_token(email: str = "eve@example.com", actor_type: str = "customer") -> str:
    """The token of the email that the mail worker sends."""
    queue_reset_mail(actor_type=actor_type, email=email)
    send_due()
    found = re.search(r"\n  (\S+)\n", str(mail.outbox[-1].body))
    assert found
    return found[1]


def update(
    send: Send, token: str | None, password: object = FRESH, actor_type: str = "customer", **more: object
) -> tuple[int, object]:
    answer = send("POST", f"/auth/{actor_type}/emailpass/update", {"password": password, **more}, token=token)
    return answer.status_code, answer.json()


class TestAsking:
    def test_the_answer_is_the_same_whether_there_is_an_account_or_not(self, send: Send) -> None:
        identity()
        for email in ("eve@example.com", "EVE@example.com", "nobody@example.com", "no email", "", "x" * 255):
            assert ask(send, email) == (201, b"Created", "text/plain")
        assert mail.outbox == []

    def test_the_statements_are_the_same_too(self, send: Send) -> None:
        identity()
        shapes = []
        for email in ("eve@example.com", "nobody@example.com"):
            with CaptureQueriesContext(connection) as queries:
                ask(send, email)
            shapes.append([re.sub(r"'[^']*'|\d+|[0-9a-f]{32}", "?", query["sql"]) for query in queries])
        assert shapes[0] == shapes[1]

    @pytest.mark.parametrize("email", ["eve@example.com", "nobody@example.com"])
    def test_the_queue_holds_the_same_for_everybody_and_no_token(self, send: Send, email: str) -> None:
        identity()
        answer = send("POST", "/auth/customer/emailpass/reset-password", {"identifier": f" {email.title()}"})
        request, queued = PasswordReset.objects.values().get(), Mail.objects.values().get()
        assert (request.pop("actor_type"), request.pop("email")) == ("customer", email)
        assert set(request) == {"id", "created_at"}
        filled = {name: value for name, value in queued.items() if value}
        assert filled == {
            "id": queued["id"],
            "kind": "password_reset",
            "about": request["id"],
            "number": 1,
            "request_id": answer["X-Request-Id"],
            "created_at": queued["created_at"],
            "next_try_at": queued["next_try_at"],
        }

    def test_asking_again_and_again_is_refused_alike_for_known_and_unknown(
        self, send: Send, settings: Settings
    ) -> None:
        settings.THROTTLES = limits(account=2, client=100)
        identity()
        for email in ("eve@example.com", "nobody@example.com"):
            assert [ask(send, email)[0] for _ in range(3)] == [201, 201, 429]

    @pytest.mark.parametrize("body", [{}, {"identifier": 5}, {"identifier": None}, {"identifier": "x" * 5000}])
    def test_a_bad_body_is_refused(self, send: Send, body: object) -> None:
        answer = send("POST", "/auth/customer/emailpass/reset-password", body)
        assert (answer.status_code, answer.json()["type"]) == (400, "invalid_data")

    def test_clients_may_send_metadata_along(self, send: Send) -> None:
        body = {"identifier": "eve@example.com", "metadata": {"a": 1}}
        assert send("POST", "/auth/customer/emailpass/reset-password", body).status_code == 201

    def test_there_is_no_such_route_for_other_actor_types(self, send: Send) -> None:
        answer = send("POST", "/auth/robot/emailpass/reset-password", {"identifier": "a"})
        assert answer.status_code == 404


class TestMail:
    def test_it_goes_to_the_account_alone(self) -> None:
        identity()
        mailed_token()
        (letter,) = mail.outbox
        assert (letter.to, letter.subject) == (["eve@example.com"], "Set a new password")
        assert "within 15 minutes" in letter.body
        ((page, kind),) = letter.alternatives
        assert kind == "text/html"
        assert "within 15 minutes" in page

    def test_nobody_without_account_gets_one(self) -> None:
        UserFactory(email="staff@example.com", is_active=False)
        for actor_type, email in [
            ("customer", "nobody@example.com"),
            ("customer", "staff@example.com"),
            ("user", "staff@example.com"),
            ("robot", "eve@example.com"),
        ]:
            queue_reset_mail(actor_type=actor_type, email=email)
        assert send_due() == 4
        assert mail.outbox == []
        assert {each.status for each in Mail.objects.all()} == {"not needed"}

    def test_with_a_page_it_holds_a_link(self, settings: Settings) -> None:
        settings.RESET_PAGES = {"customer": "https://shop.example/new-password?token={token}&from=mail"}
        identity()
        link = mailed_token()
        token = link.removeprefix("https://shop.example/new-password?token=").removesuffix("&from=mail")
        assert len(token.split(".")) == 3

    @pytest.mark.parametrize(
        "headers",
        [
            {"Host": "evil.example"},
            {"X_Forwarded_Host": "evil.example"},
            {"Forwarded": "host=evil.example"},
            {"Origin": "https://evil.example"},
            {"Referer": "https://evil.example/"},
        ],
        ids=str,
    )
    def test_no_header_of_the_request_is_in_the_link(
        self, send: Send, settings: Settings, headers: dict[str, str]
    ) -> None:
        settings.RESET_PAGES = {"customer": "https://shop.example/new-password?token={token}"}
        settings.ALLOWED_HOSTS = ["*"]
        identity()
        asked = send("POST", "/auth/customer/emailpass/reset-password", {"identifier": "eve@example.com"}, **headers)
        assert asked.status_code == 201
        send_due()
        (letter,) = mail.outbox
        assert "https://shop.example/new-password?token=" in letter.body
        assert "evil" not in letter.body

    def test_the_owner_of_an_email_takes_it_back_from_a_stranger_who_registered_it(self, send: Send) -> None:
        stranger = registration_token(IdentityFactory(email="eve@example.com"))
        assert update(send, mailed_token()) == (200, {"success": True})
        assert verify(stranger) is None
        login = {"email": "eve@example.com", "password": FRESH}
        assert send("POST", "/auth/customer/emailpass/register", login).status_code == 200

    def test_one_that_fails_is_logged_by_its_request_and_asking_again_works_at_once(
        self, send: Send, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object) -> None:
            raise SMTPServerDisconnected("no email today")

        identity()
        answer = send("POST", "/auth/customer/emailpass/reset-password", {"identifier": "eve@example.com"})
        assert (answer.status_code, answer.content) == (201, b"Created")
        with monkeypatch.context() as broken, capture_logs(processors=[merge_contextvars]) as lines:
            broken.setattr(EmailBackend, "send_messages", refuse)
            send_due()
        assert [(line["log_level"], line["event"], line["request_id"]) for line in lines] == [
            ("warning", "the email was not sent", answer["X-Request-Id"])
        ]
        failed = Mail.objects.get()
        assert (failed.status, failed.error) == ("waiting", "SMTPServerDisconnected: no email today")
        assert (ask(send), mail.outbox) == ((201, b"Created", "text/plain"), [])
        send_due()
        assert [letter.to for letter in mail.outbox] == [["eve@example.com"]]


class TestSetting:
    def test_the_new_password_opens_the_account_and_the_old_one_does_not(self, send: Send) -> None:
        identity()
        assert update(send, mailed_token()) == (200, {"success": True})
        for password, status in ((FRESH, 200), (PASSWORD, 401)):
            login = {"email": "eve@example.com", "password": password}
            assert send("POST", "/auth/customer/emailpass", login).status_code == status

    def test_it_ends_all_older_tokens_and_sessions(self, send: Send) -> None:
        token = registration_token(identity())
        send("POST", "/auth/session", token=token)
        assert send("POST", "/auth/token/refresh").status_code == 200
        assert update(send, mailed_token())[0] == 200
        assert send("POST", "/auth/token/refresh").status_code == 401
        assert send("POST", "/auth/token/refresh", token=token).status_code == 401

    def test_a_token_works_once_and_ends_those_mailed_beside_it(self, send: Send) -> None:
        identity()
        first, second = mailed_token(), mailed_token()
        assert update(send, second)[0] == 200
        assert update(send, second) == INVALID
        assert update(send, first) == INVALID

    def test_a_weak_password_is_refused_and_the_token_is_good_still(self, send: Send) -> None:
        identity()
        token = mailed_token()
        status, body = update(send, token, "password123")
        assert (status, body["type"]) == (400, "invalid_data")
        assert "'password'" in body["message"]
        assert update(send, token)[0] == 200

    def test_a_token_dies_with_its_account_and_after_its_time(self, send: Send, settings: Settings) -> None:
        identity()
        token = mailed_token()
        AuthIdentity.objects.all().delete()
        assert update(send, token) == INVALID
        identity("bob@example.com")
        settings.RESET_LIFETIME = timedelta(seconds=-1)
        assert update(send, mailed_token("bob@example.com")) == INVALID

    def test_it_is_good_for_its_own_actor_type_and_email(self, send: Send) -> None:
        identity()
        UserFactory(email="eve@example.com")
        token = mailed_token()
        assert update(send, token, actor_type="user") == INVALID
        assert update(send, token, "x", actor_type="user") == INVALID
        assert update(send, token, email="bob@example.com") == INVALID
        assert update(send, token, email="EVE@example.com")[0] == 200

    def test_an_access_token_sets_no_password_and_a_reset_token_opens_nothing(self, send: Send) -> None:
        access = registration_token(identity())
        assert update(send, access) == INVALID
        reset = mailed_token()
        assert verify(reset) is None
        assert send("POST", "/auth/token/refresh", token=reset).status_code == 401
        assert send("POST", "/auth/session", token=reset).status_code == 401

    @pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Bearer x.y.z", "Basic x", "Bearer \u00e9"])
    def test_without_a_token_nothing_is_set(self, send: Send, header: str | None) -> None:
        more = {} if header is None else {"Authorization": header}
        answer = send("POST", "/auth/customer/emailpass/update", {"password": FRESH}, **more)
        assert (answer.status_code, answer.json()) == INVALID

    def test_staff_find_back_by_mail_too(self, send: Send) -> None:
        user = UserFactory(email="ann@example.com")
        before = token_of(user)
        assert update(send, mailed_token("ann@example.com", "user"), actor_type="user") == (200, {"success": True})
        assert verify(before) is None
        user.refresh_from_db()
        assert user.check_password(FRESH)


class TestForgery:
    @pytest.fixture
    def forge(self) -> Callable[..., str]:
        identity()
        claims = jwt.decode(mailed_token(), options={"verify_signature": False})

        def forged(key: str | None = None, algorithm: str = "HS256", **changes: object) -> str:
            kept = {name: value for name, value in {**claims, **changes}.items() if value is not None}
            return jwt.encode(kept, key or django_settings.JWT_SECRET, algorithm=algorithm)

        return forged

    def test_the_forging_works(self, send: Send, forge: Callable[..., str]) -> None:
        assert update(send, forge())[0] == 200

    @pytest.mark.parametrize(
        "changes",
        [
            {"key": "x" * 48},
            {"algorithm": "HS384"},
            {"exp": 1},
            {"exp": None},
            {"aud": None},
            {"aud": "another"},
            {"stamp": "another"},
            {"stamp": None},
            {"auth_identity_id": "authid_1"},
            {"actor_type": "user"},
            {"actor_type": "robot"},
        ],
        ids=str,
    )
    def test_what_we_did_not_sign_so_sets_nothing(
        self, send: Send, forge: Callable[..., str], changes: dict[str, object]
    ) -> None:
        assert update(send, forge(**changes)) == INVALID

    def test_an_unsigned_token_sets_nothing(self, send: Send, forge: Callable[..., str]) -> None:
        _, payload, signature = forge().split(".")
        none = jwt.encode({}, "", algorithm="none").split(".")[0]
        assert update(send, f"{none}.{payload}.") == INVALID
        assert update(send, f"{none}.{payload}.{signature}") == INVALID
