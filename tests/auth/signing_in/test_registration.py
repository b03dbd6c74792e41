"""Registering an email and password: its result, what it reveals, and how guessing is throttled."""

import jwt
import pytest
from django.contrib.auth.hashers import make_password
from pytest_django import Settings

from auth.errors import EmailTaken
from auth.models import AuthIdentity
from auth.signing_in.registration import register_customer
from kit.errors import InvalidData, TooManyRequests
from tests.auth.conftest import Send, limits
from tests.factories.customers import CustomerFactory, IdentityFactory
from tests.factories.staff import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
PATH = "/auth/customer/emailpass/register"
TAKEN = (401, {"type": "unauthorized", "message": "Identity with email already exists"})


def attempt(email: str = "eve@example.com", password: str = PASSWORD, *, client: str = "192.0.2.1") -> str:
    return register_customer(email=email, password=password, client=client).identity_id


def reported(send: Send, email: object, password: object = PASSWORD) -> tuple[int, dict[str, str]]:
    answer = send("POST", PATH, {"email": email, "password": password})
    return answer.status_code, answer.json()


class TestOverHttp:
    def test_the_answer_is_a_token_without_an_actor(self, send: Send) -> None:
        status, body = reported(send, "Eve@Example.com")
        identity = AuthIdentity.objects.get()
        claims = jwt.decode(body["token"], options={"verify_signature": False})
        assert (status, list(body)) == (200, ["token"])
        assert (claims["actor_id"], claims["actor_type"], claims["auth_identity_id"]) == ("", "customer", identity.pk)
        assert (claims["app_metadata"], identity.email, identity.customer_id) == ({}, "eve@example.com", None)
        assert identity.password.startswith("argon2")

    def test_an_email_of_a_customer_is_taken_in_any_letter_case_whatever_the_password(self, send: Send) -> None:
        CustomerFactory(email="eve@example.com")
        for email in ("eve@example.com", "EVE@example.COM", " eve@example.com "):
            for password in (PASSWORD, "another one altogether"):
                assert reported(send, email, password) == TAKEN
        assert AuthIdentity.objects.count() == 1

    @pytest.mark.parametrize("password", ["x", "password123", PASSWORD])
    def test_that_is_said_before_a_rule_is_checked_or_a_hash_computed(
        self, send: Send, hashes: list[tuple[int, int]], password: str, settings: Settings
    ) -> None:
        settings.THROTTLES = limits(account=1, client=100)
        CustomerFactory(email="eve@example.com")
        hashes.clear()
        assert [reported(send, "eve@example.com", password) for _ in range(3)] == [TAKEN] * 3
        assert hashes == []

    def test_each_registration_costs_one_hash(self, send: Send, hashes: list[tuple[int, int]]) -> None:
        for password, status in ((PASSWORD, 200), (PASSWORD, 200), ("another one altogether", 401)):
            hashes.clear()
            assert reported(send, "eve@example.com", password)[0] == status
            assert len(hashes) == 1

    def test_an_unfinished_registration_is_continued_by_a_password_that_the_rules_now_refuse(self, send: Send) -> None:
        IdentityFactory(email="eve@example.com", password=make_password("x"))
        assert reported(send, "eve@example.com", "x")[0] == 200

    def test_an_unfinished_registration_may_be_made_again_with_its_password_alone(self, send: Send) -> None:
        identity = IdentityFactory(email="eve@example.com")
        status, body = reported(send, "eve@example.com")
        claims = jwt.decode(body["token"], options={"verify_signature": False})
        assert (status, claims["auth_identity_id"]) == (200, identity.pk)
        assert reported(send, "eve@example.com", "another one altogether") == TAKEN
        assert AuthIdentity.objects.get().password == identity.password

    def test_emails_of_staff_are_no_customers(self, send: Send) -> None:
        UserFactory(email="eve@example.com")
        assert reported(send, "eve@example.com")[0] == 200

    @pytest.mark.parametrize(
        ("password", "rule"),
        [
            ("", "too short"),
            ("x7", "too short"),
            ("password123", "too common"),
            ("8462957301846", "entirely numeric"),
            ("eve@example.com", "too similar to the email"),
        ],
    )
    def test_a_weak_password_is_refused_naming_the_field_and_the_rule(
        self, send: Send, password: str, rule: str
    ) -> None:
        status, body = reported(send, "eve@example.com", password)
        assert (status, body["type"]) == (400, "invalid_data")
        assert body["message"].startswith("Value for field 'password' is refused: ")
        assert rule in body["message"]
        assert not AuthIdentity.objects.exists()

    @pytest.mark.parametrize(
        "email",
        [
            "",
            "eve",
            "eve@",
            "@example.com",
            "eve@example.com\r\nBcc: all@example.com",
            "eve@example.com\n",
            "a b@example.com",
            "é@example.com",
            "eve@bü☃cher.example",
            "eve@example.com,bob@example.com",
            "eve@example.com>",
            f"{'e' * 243}@example.com",
        ],
        ids=ascii,
    )
    def test_what_is_no_email_is_refused(self, send: Send, email: str) -> None:
        status, body = reported(send, email)
        if email.strip() == "eve@example.com":
            assert status == 200
            return
        assert (status, body["type"]) == (400, "invalid_data")
        assert "'email'" in body["message"]
        assert not AuthIdentity.objects.exists()

    @pytest.mark.parametrize("email", [None, 5, ["eve@example.com"], {"a": 1}, True, "\0", "e" * 5000])
    def test_nor_is_anything_but_a_short_text(self, send: Send, email: object) -> None:
        assert reported(send, email)[0] == 400

    @pytest.mark.parametrize("password", [None, 5, ["x"], "x" * 5000, "\0" * 9])
    def test_a_password_is_a_text_of_bounded_length(self, send: Send, password: object) -> None:
        assert reported(send, "eve@example.com", password)[0] == 400
        assert not AuthIdentity.objects.exists()

    def test_other_fields_are_refused(self, send: Send) -> None:
        body = {"email": "eve@example.com", "password": PASSWORD, "customer_id": "cus_1", "stamp": "x"}
        answer = send("POST", PATH, body)
        assert (answer.status_code, answer.json()["message"]) == (
            400,
            "Invalid request: Unrecognized fields: 'customer_id, stamp'",
        )


def test_an_older_hash_is_made_again_and_ends_nothing() -> None:
    old = IdentityFactory(email="eve@example.com", password=make_password(PASSWORD, hasher="pbkdf2_sha256"))
    assert attempt() == old.pk
    fresh = AuthIdentity.objects.get()
    assert fresh.password.startswith("argon2")
    assert fresh.stamp == old.stamp


def test_guessing_at_an_unfinished_registration_is_refused_after_the_limit(settings: Settings) -> None:
    settings.THROTTLES = limits(account=3, client=100)
    IdentityFactory(email="eve@example.com")
    for number, email in enumerate(["eve@example.com", "EVE@example.com", " eve@example.com"]):
        with pytest.raises(EmailTaken):
            attempt(email, "wrong wrong wrong", client=f"192.0.2.{number}")
    with pytest.raises(TooManyRequests):
        attempt()
    assert attempt("bob@example.com")


def test_one_client_registering_many_is_refused_as_a_flood(settings: Settings) -> None:
    settings.THROTTLES = limits(account=3, client=2)
    for number in range(2):
        with pytest.raises(InvalidData):
            attempt(f"eve{number}@example.com", "x")
    with pytest.raises(TooManyRequests):
        attempt("eve3@example.com")
    assert attempt("eve3@example.com", client="192.0.2.2")
