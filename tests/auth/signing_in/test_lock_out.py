"""Guesses are slowed without a way for strangers to lock an account's owner out."""

import hmac
import time
from collections.abc import Callable
from datetime import timedelta
from threading import Semaphore
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from auth.account_types.actors import accounts_of
from auth.models import KnownAddress
from auth.passwords.password_update import update_password
from auth.passwords.reset_tokens import issue_reset_token
from auth.signing_in import known_networks
from auth.signing_in.known_networks import discard_expired
from auth.signing_in.registration import register_customer
from auth.signing_in.sign_in import sign_in
from kit.errors import DomainError, Unavailable
from kit.safety import password_hashers
from kit.safety.password_hashers import Argon2Hasher
from kit.safety.throttling.models import Counter
from kit.values.timestamps import now
from staff.models import User
from tests.auth.conftest import limits
from tests.factories.customers import CustomerFactory
from tests.factories.staff import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
HOME, CAFE = "192.0.2.1", "198.51.100.7"
IN, WRONG, LOCKED, FULL = "Account", "WrongPassword", "TooManyRequests", "Unavailable"
SECRET = "storefront-secret-0123456789-abcdef"


@pytest.fixture(autouse=True)
def tight(settings: Settings) -> None:
    """Three attempts for an address and five a day for all addresses."""
    settings.THROTTLES = limits(account=3, client=100, daily=5)


@pytest.fixture(params=["user", "customer"])
def actor_type(request: pytest.FixtureRequest) -> str:
    """Ann, as either kind of account."""
    (UserFactory if request.param == "user" else CustomerFactory)(email="ann@example.com")
    return str(request.param)


@pytest.fixture
def attempt(actor_type: str) -> Callable[..., str]:
    def made(password: str = PASSWORD, *, client: str = HOME) -> str:
        return outcome(
            lambda: sign_in(actor_type=actor_type, email="ann@example.com", password=password, client=client)
        )

    return made


def outcome(work: Callable[[], Any]) -> str:
    try:
        return type(work()).__name__
    except DomainError as refusal:
        return type(refusal).__name__


def test_an_address_that_guesses_is_refused_and_no_other(attempt: Callable[..., str]) -> None:
    assert [attempt("wrong", client=CAFE) for _ in range(3)] == [WRONG] * 3
    assert attempt(client=CAFE) == LOCKED
    assert attempt(client=HOME) == IN


def test_guesses_from_many_addresses_are_refused_for_the_day(attempt: Callable[..., str]) -> None:
    assert [attempt("wrong", client=f"192.0.2.{number}") for number in range(5)] == [WRONG] * 5
    assert attempt(client=CAFE) == LOCKED


def test_they_do_not_lock_out_an_address_that_has_signed_in_before(attempt: Callable[..., str]) -> None:
    assert attempt(client=HOME) == IN
    assert [attempt("wrong", client=f"203.0.113.{number}") for number in range(5)] == [WRONG] * 5
    assert attempt(client=CAFE) == LOCKED
    assert [attempt("wrong", client=HOME), attempt("wrong", client=HOME), attempt(client=HOME)] == [WRONG, WRONG, IN]
    assert [attempt("wrong", client=HOME) for _ in range(3)] == [WRONG] * 3
    assert attempt(client=HOME) == LOCKED


def test_an_address_is_known_to_the_account_that_signed_in_there_alone(attempt: Callable[..., str]) -> None:
    CustomerFactory(email="eve@example.com")
    eve = {"actor_type": "customer", "email": "eve@example.com"}
    assert outcome(lambda: sign_in(**eve, password=PASSWORD, client=CAFE)) == IN
    for number in range(5):
        attempt("wrong", client=f"203.0.113.{number}")
    assert attempt(client=CAFE) == LOCKED


def test_after_ninety_days_an_address_is_forgotten(
    attempt: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(client=HOME)
    for number in range(5):
        attempt("wrong", client=f"203.0.113.{number}")
    for days, expected in ((89, IN), (89 + 91, LOCKED)):  # the sign-in of the 89th day was noted
        later = now() + timedelta(days=days)
        monkeypatch.setattr(known_networks, "now", lambda later=later: later)
        assert attempt(client=HOME) == expected
    assert (discard_expired(), KnownAddress.objects.count()) == (1, 0)


def test_a_sign_in_is_noted_once_a_day(attempt: Callable[..., str]) -> None:
    attempt()
    (before,) = KnownAddress.objects.values_list("digest", "seen_at")
    attempt()
    assert list(KnownAddress.objects.values_list("digest", "seen_at")) == [before]


def test_the_row_shows_neither_account_nor_address(attempt: Callable[..., str], settings: Settings) -> None:
    attempt()
    (digest,) = KnownAddress.objects.values_list("digest", flat=True)
    assert len(digest) == 64
    settings.SECRET_KEY = "another secret, without which the same pair has another digest"
    attempt()
    assert KnownAddress.objects.exclude(pk=digest).count() == 1


def test_sign_ins_count_for_nothing_in_the_days_limit(attempt: Callable[..., str]) -> None:
    assert [attempt(client=f"192.0.2.{number}") for number in range(8)] == [IN] * 8


def test_refused_attempts_count_for_nothing(attempt: Callable[..., str], settings: Settings) -> None:
    settings.THROTTLES = limits(account=1, client=4, daily=2)
    assert [attempt("wrong", client=CAFE) for _ in range(20)] == [WRONG, *[LOCKED] * 19]
    assert attempt("wrong", client=HOME) == WRONG  # the day's second
    assert attempt(client="203.0.113.1") == LOCKED
    other = {"actor_type": "user", "email": "bob@example.com", "password": "x", "client": CAFE}
    assert outcome(lambda: sign_in(**other)) == WRONG  # the flood's second


def test_an_attempt_that_the_server_had_no_room_for_counts_as_none(
    attempt: Callable[..., str], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.THROTTLES = limits(account=1, client=1, daily=1)
    with monkeypatch.context() as patch:
        for name in ("encode", "verify"):
            patch.setattr(Argon2Hasher, name, no_room)
        assert [attempt(client=CAFE) for _ in range(3)] == [FULL] * 3
    assert attempt(client=CAFE) == IN


def test_a_full_server_asks_the_database_nothing(
    attempt: Callable[..., str], monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    monkeypatch.setattr(password_hashers, "_places", Semaphore(0))
    with django_assert_num_queries(0):
        assert attempt() == FULL


def test_a_registration_that_it_had_no_room_for_counts_as_none(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.THROTTLES = limits(account=1, client=1)
    new = {"email": "eve@example.com", "password": PASSWORD, "client": CAFE}
    with monkeypatch.context() as patch:
        patch.setattr(Argon2Hasher, "encode", no_room)
        assert [outcome(lambda: register_customer(**new)) for _ in range(3)] == [FULL] * 3
    assert outcome(lambda: register_customer(**new)) == IN


def no_room(*_: object) -> str:
    raise Unavailable("no room")


@pytest.mark.parametrize("guesses", [[CAFE] * 3, [f"203.0.113.{number}" for number in range(5)]], ids=["near", "far"])
def test_a_completed_reset_clears_both_counts(attempt: Callable[..., str], actor_type: str, guesses: list[str]) -> None:
    for client in guesses:
        attempt("wrong", client=client)
    assert attempt(client=CAFE) == LOCKED
    account = account_of(actor_type)
    update_password(actor_type=actor_type, token=issue_reset_token(account), password="of fresh leaves, 1913")
    assert attempt("wrong", client=CAFE) == WRONG
    assert attempt("of fresh leaves, 1913", client=CAFE) == IN


def account_of(actor_type: str) -> Any:
    account = accounts_of(actor_type).find_by_email("ann@example.com")
    assert account is not None
    return account


def test_unknown_accounts_are_locked_and_counted_like_known_ones(settings: Settings) -> None:
    def attempt(client: str) -> str:
        return outcome(lambda: sign_in(actor_type="customer", email="nobody@example.com", password="x", client=client))

    assert [attempt(CAFE) for _ in range(4)] == [WRONG, WRONG, WRONG, LOCKED]
    assert [attempt("203.0.113.1"), attempt("203.0.113.2"), attempt(HOME)] == [WRONG, WRONG, LOCKED]


class TestOverHttp:
    """The attempts of each address, as requests make them."""

    @pytest.fixture(autouse=True)
    def ann(self) -> User:
        return UserFactory(email="ann@example.com")

    def log_in(self, client: Client, password: str | None = None, **meta: Any) -> int:
        body = {"email": "ann@example.com", "password": password or "wrong"}
        return client.post("/auth/user/emailpass", body, content_type="application/json", **meta).status_code

    def test_an_ipv6_household_is_one_address(self, client: Client) -> None:
        first = [self.log_in(client, REMOTE_ADDR=f"2001:db8:1:2::{number}") for number in range(4)]
        assert first == [401, 401, 401, 429]
        assert self.log_in(client, PASSWORD, REMOTE_ADDR="2001:db8:1:3::1") == 200

    def test_the_admin_sites_form_and_the_api_share_the_counts(self, client: Client) -> None:
        form = {"username": "ann@example.com", "password": "wrong"}
        for _ in range(3):
            client.post("/admin/login/", form)
        assert self.log_in(client, PASSWORD) == 429
        answer: Any = client.post("/admin/login/", {**form, "password": PASSWORD}, REMOTE_ADDR=CAFE)
        assert answer.status_code == 302
        assert KnownAddress.objects.count() == 1

    def test_a_full_server_is_a_503_that_says_when_to_come_again(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Argon2Hasher, "verify", no_room)
        body = {"email": "ann@example.com", "password": PASSWORD}
        answer = client.post("/auth/user/emailpass", body, content_type="application/json")
        assert (answer.status_code, answer.json()) == (503, {"type": "unavailable", "message": "no room"})
        assert answer["Retry-After"] == "2"
        form = {"username": "ann@example.com", "password": PASSWORD}
        page: Any = client.post("/admin/login/", form)
        assert page.context["form"].non_field_errors() == ["no room"]

    def test_a_storefronts_shoppers_are_counted_apart_where_it_passes_their_addresses_on(
        self, client: Client, settings: Settings
    ) -> None:
        settings.CLIENT_ADDRESS_SECRET = SECRET
        guessing = [self.log_in(client, HTTP_X_CLIENT_ADDRESS=passed_on(CAFE)) for _ in range(4)]
        assert guessing == [401, 401, 401, 429]
        assert self.log_in(client, PASSWORD, HTTP_X_CLIENT_ADDRESS=passed_on(HOME)) == 200
        assert self.log_in(client, PASSWORD) == 200

    def test_a_stranger_cannot_choose_an_address(self, client: Client, settings: Settings) -> None:
        settings.CLIENT_ADDRESS_SECRET = SECRET
        forged = [
            self.log_in(client, HTTP_X_CLIENT_ADDRESS=passed_on(f"192.0.2.{number}", "another secret"))
            for number in range(4)
        ]
        assert forged == [401, 401, 401, 429]


def passed_on(address: str, secret: str = SECRET) -> str:
    signed = f"{address};t={int(time.time())}"
    return f"{signed};s={hmac.new(secret.encode(), signed.encode(), 'sha256').hexdigest()}"


@pytest.mark.parametrize("email", ["ann@example.com", "nobody@example.com"])
def test_known_and_unknown_accounts_cost_the_same_hash(
    actor_type: str, hashes: list[tuple[int, int]], email: str
) -> None:
    hashes.clear()
    assert outcome(lambda: sign_in(actor_type=actor_type, email=email, password="x", client=HOME)) == WRONG
    assert hashes == [(Argon2Hasher.time_cost, Argon2Hasher.memory_cost * 1024)]


def test_counters_show_nothing(attempt: Callable[..., str]) -> None:
    attempt("wrong")
    assert "ann" not in repr(list(Counter.objects.values()))
