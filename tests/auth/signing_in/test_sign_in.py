"""Signing in with email and password: who can sign in, what failures reveal, how guessing is throttled."""

import pytest
from django.contrib.auth.hashers import make_password
from django_otp.oath import totp
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from auth.account_types.accounts import Account
from auth.signing_in.sign_in import sign_in
from kit.errors import DomainError, TooManyRequests, Unauthorized
from kit.safety.throttling.models import Counter
from staff.models import User
from tests.auth.conftest import Customers, limits
from tests.factories.staff import PASSWORD, UserFactory

INVALID = r"^Invalid email or password$"


def attempt(
    email: str = "ann@example.com",
    password: str = PASSWORD,
    *,
    actor_type: str = "user",
    otp: str | None = None,
    client: str = "192.0.2.1",
) -> Account:
    return sign_in(actor_type=actor_type, email=email, password=password, otp=otp, client=client)


@pytest.mark.parametrize("written", ["ann@example.com", "Ann@Example.COM", "  ann@example.com "])
def test_an_email_opens_its_account_in_any_letter_case(user: User, written: str) -> None:
    account = attempt(written)
    assert (account.actor_type, account.identity_id, account.stamp) == ("user", user.pk, user.stamp)
    assert (account.actor.type, account.actor.id, account.actor.may("apikeys.add_apikey")) == ("user", user.pk, True)


def test_a_user_may_what_their_permissions_say(db: None) -> None:
    UserFactory(email="bob@example.com", permissions=["apikeys.view_apikey"])
    actor = attempt("bob@example.com").actor
    assert (actor.may("apikeys.view_apikey"), actor.may("apikeys.add_apikey")) == (True, False)


def test_every_failure_before_the_password_is_right_says_the_same(user: User) -> None:
    UserFactory(email="gone@example.com", is_active=False)
    UserFactory(email="never@example.com", password=make_password(None))
    TOTPDevice.objects.create(user=user, name="phone")
    for email, password in [
        ("ann@example.com", "wrong"),
        ("ann@example.com", ""),
        ("nobody@example.com", PASSWORD),
        ("gone@example.com", PASSWORD),
        ("never@example.com", PASSWORD),
        ("", ""),
    ]:
        with pytest.raises(Unauthorized, match=INVALID):
            attempt(email, password)


@pytest.mark.parametrize("email", ["ann@example.com", "nobody@example.com", "gone@example.com", "never@example.com"])
def test_a_failure_costs_one_hash_whether_the_account_exists_or_not(
    user: User, hashes: list[tuple[int, int]], email: str
) -> None:
    UserFactory(email="gone@example.com", is_active=False)
    UserFactory(email="never@example.com", password=make_password(None))
    hashes.clear()
    with pytest.raises(Unauthorized):
        attempt(email, "wrong")
    assert len(hashes) == 1


def test_a_password_hashed_by_an_older_hasher_is_hashed_again_and_nothing_ends(db: None) -> None:
    old = UserFactory(email="old@example.com", password=make_password(PASSWORD, hasher="pbkdf2_sha256"))
    account = attempt("old@example.com")
    fresh = User.objects.get(pk=old.pk)
    assert fresh.password.startswith("argon2")
    assert account.stamp == fresh.stamp == old.stamp


def test_guessing_one_account_is_refused_after_the_limit_even_with_the_right_password(
    user: User, settings: Settings
) -> None:
    settings.THROTTLES = limits(account=3, client=100)
    for written in ("ann@example.com", "ANN@example.com", " ann@example.com"):
        with pytest.raises(Unauthorized):
            attempt(written, "wrong")
    with pytest.raises(TooManyRequests) as refusal:
        attempt()
    assert 1 <= refusal.value.retry_after <= 10**9
    with pytest.raises(Unauthorized):
        attempt("bob@example.com", "wrong")


def test_a_success_clears_the_accounts_failures(user: User, settings: Settings) -> None:
    settings.THROTTLES = limits(account=3, client=100)
    for _ in range(4):
        for _ in range(2):
            with pytest.raises(Unauthorized):
                attempt(password="wrong")
        attempt()


def test_one_client_guessing_many_accounts_is_refused_as_a_flood(user: User, settings: Settings) -> None:
    settings.THROTTLES = limits(account=3, client=4)
    for number in range(4):
        with pytest.raises(Unauthorized):
            attempt(f"staff{number}@example.com", "wrong")
    with pytest.raises(TooManyRequests):
        attempt()
    assert attempt(client="192.0.2.2").identity_id == user.pk


def test_a_flood_does_not_count_against_the_account(user: User, settings: Settings) -> None:
    settings.THROTTLES = limits(account=3, client=1)
    for _ in range(9):
        with pytest.raises(DomainError):
            attempt(password="wrong")
    assert attempt(client="192.0.2.2").identity_id == user.pk


def test_accounts_of_two_types_with_one_email_are_counted_apart(
    user: User, customers: Customers, settings: Settings
) -> None:
    settings.THROTTLES = limits(account=1, client=100)
    customers.add("ann@example.com", actor_id="cus_1")
    with pytest.raises(Unauthorized):
        attempt(password="wrong", actor_type="customer")
    assert attempt().actor_type == "user"


def test_counters_show_no_email(user: User) -> None:
    with pytest.raises(Unauthorized):
        attempt(password="wrong")
    assert "ann" not in repr(list(Counter.objects.values()))


class TestSecondFactor:
    """Staff with a confirmed device."""

    @pytest.fixture
    def device(self, user: User) -> TOTPDevice:
        return TOTPDevice.objects.create(user=user, name="phone")

    def test_the_right_password_alone_is_refused_and_says_what_is_missing(self, device: TOTPDevice) -> None:
        for otp in (None, ""):
            with pytest.raises(Unauthorized, match=r"^A one-time password is required, send it as 'otp'$"):
                attempt(otp=otp)

    def test_the_present_code_opens_the_account_once(self, device: TOTPDevice) -> None:
        code = shown_on(device)
        assert attempt(otp=code).actor_type == "user"
        with pytest.raises(Unauthorized, match=r"^Invalid one-time password$"):
            attempt(otp=code)

    @pytest.mark.parametrize("otp", ["wrong", "12", "-1", "9" * 5000, "\N{ARABIC-INDIC DIGIT ONE}" * 6])
    def test_another_code_is_refused(self, device: TOTPDevice, otp: str) -> None:
        with pytest.raises(Unauthorized, match=r"^Invalid one-time password$"):
            attempt(otp=otp)

    def test_a_code_without_the_password_tells_nothing(self, device: TOTPDevice) -> None:
        with pytest.raises(Unauthorized, match=INVALID):
            attempt(password="wrong", otp=shown_on(device))
        assert attempt(otp=shown_on(device)).actor_type == "user"

    def test_a_device_that_is_not_confirmed_asks_for_nothing(self, device: TOTPDevice) -> None:
        TOTPDevice.objects.update(confirmed=False)
        assert attempt().actor_type == "user"

    def test_another_users_code_opens_nothing(self, device: TOTPDevice) -> None:
        other = TOTPDevice.objects.create(user=UserFactory(), name="their phone")
        with pytest.raises(Unauthorized):
            attempt(otp=shown_on(other))

    def test_guessing_codes_locks_the_device_for_a_while(self, device: TOTPDevice) -> None:
        with pytest.raises(Unauthorized):
            attempt(otp="wrong")
        with pytest.raises(Unauthorized):
            attempt(otp=shown_on(device))

    def test_guessing_codes_counts_as_guessing_the_account(self, device: TOTPDevice, settings: Settings) -> None:
        settings.THROTTLES = limits(account=2, client=100)
        for _ in range(2):
            with pytest.raises(Unauthorized):
                attempt(otp="wrong")
        with pytest.raises(TooManyRequests):
            attempt(otp=shown_on(device))

    def test_using_the_second_device_leaves_the_first_usable(self, device: TOTPDevice, user: User) -> None:
        tablet = TOTPDevice.objects.create(user=user, name="tablet")
        attempt(otp=shown_on(tablet))
        attempt(otp=shown_on(device))


def shown_on(device: TOTPDevice) -> str:
    return f"{totp(device.bin_key, device.step, device.t0, device.digits):06}"
