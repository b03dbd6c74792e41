"""Guessing a password from many connections at once."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.hashers import make_password
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from auth.models import KnownAddress
from auth.signing_in.sign_in import sign_in
from kit.errors import DomainError
from tests.auth.conftest import limits
from tests.concurrency.crowd import at_once
from tests.factories.staff import PASSWORD, UserFactory, hashed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def unbounded_hashes(settings: Settings) -> Iterator[None]:
    """The production hasher refuses all but three at once; here the counters alone decide."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    hashed.cache_clear()
    yield
    hashed.cache_clear()


def outcome(password: str, otp: str | None = None, client: str = "192.0.2.1") -> str:
    try:
        sign_in(actor_type="user", email="ann@example.com", password=password, otp=otp, client=client)
    except DomainError as refusal:
        return type(refusal).__name__
    return "signed in"


def test_parallel_failures_are_counted_exactly(settings: Settings) -> None:
    settings.THROTTLES = limits(account=10, client=100)
    UserFactory(email="ann@example.com")
    outcomes = at_once(lambda _: outcome("wrong"), threads=16)
    assert (outcomes.count("WrongPassword"), outcomes.count("TooManyRequests")) == (10, 6)


def test_parallel_failures_from_many_addresses_are_counted_exactly(settings: Settings) -> None:
    settings.THROTTLES = limits(account=3, client=100, daily=10)
    UserFactory(email="ann@example.com")
    outcomes = at_once(lambda number: outcome("wrong", client=f"192.0.2.{number}"), threads=16)
    assert (outcomes.count("WrongPassword"), outcomes.count("TooManyRequests")) == (10, 6)


def test_parallel_sign_ins_of_one_address_all_succeed_and_leave_one_row(settings: Settings) -> None:
    settings.THROTTLES = limits(account=16, client=100, daily=16)
    UserFactory(email="ann@example.com")
    assert at_once(lambda _: outcome(PASSWORD), threads=16) == ["signed in"] * 16
    assert KnownAddress.objects.count() == 1


def test_a_one_time_password_lets_one_of_many_in() -> None:
    user = UserFactory(email="ann@example.com", password=make_password(PASSWORD))
    device = TOTPDevice.objects.create(user=user, name="phone")
    code = f"{totp(device.bin_key):06}"
    outcomes = at_once(lambda _: outcome(PASSWORD, code), threads=8)
    assert (outcomes.count("signed in"), outcomes.count("Unauthorized")) == (1, 7)
