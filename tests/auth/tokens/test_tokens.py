"""Tokens under attack: only unexpired tokens that we signed for an existing account are accepted."""

import base64
import json
import string
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt
import pytest
from django.conf import settings as django_settings
from hypothesis import example, given
from hypothesis import strategies as st
from pytest_django import Settings

from auth.account_types import actors
from auth.account_types.accounts import Account
from auth.account_types.actors import resolve
from auth.tokens.tokens import issue, verify
from kit.domain.actor import Actor
from staff.models import User
from tests.auth.conftest import Customers
from tests.factories.staff import PASSWORD, UserFactory

PAST, FUTURE = 1_700_000_000, 4_000_000_000  # November 2023 and October 2096


@pytest.fixture
def account(user: User) -> Account:
    found = resolve("user", user.pk, user.stamp)
    assert found is not None
    return found


@pytest.fixture
def forged(account: Account) -> Callable[..., str]:
    """Ann's claims with changes (None removes a claim), signed with the given key."""

    def forge(key: Any = None, algorithm: str = "HS256", **changes: Any) -> str:
        claims = jwt.decode(issue(account), options={"verify_signature": False}) | changes
        kept = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(kept, django_settings.JWT_SECRET if key is None else key, algorithm=algorithm)

    return forge


def test_a_token_says_what_clients_read_from_it(account: Account, user: User) -> None:
    token, now = issue(account), int(time.time())
    assert jwt.get_unverified_header(token) == {"alg": "HS256", "typ": "JWT"}
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims.pop("iat") == pytest.approx(now, abs=2)
    assert claims.pop("exp") == pytest.approx(now + 24 * 3600, abs=2)
    assert claims == {
        "actor_id": user.pk,
        "actor_type": "user",
        "auth_identity_id": user.pk,
        "auth_provider": "emailpass",
        "app_metadata": {"user_id": user.pk},
        "user_metadata": {},
        "stamp": user.stamp,
    }


def test_a_token_gives_its_account_and_claims_back(account: Account, user: User) -> None:
    credential = verify(issue(account))
    assert credential is not None
    assert credential.account == account
    assert credential.claims is not None
    assert credential.claims["actor_id"] == user.pk


def test_the_forging_of_these_tests_works(forged: Callable[..., str]) -> None:
    assert verify(forged()) is not None


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE"])
def test_an_unsigned_token_is_refused(account: Account, algorithm: str) -> None:
    _, payload, signature = issue(account).split(".")
    header = base64.urlsafe_b64encode(json.dumps({"alg": algorithm, "typ": "JWT"}).encode()).rstrip(b"=").decode()
    assert verify(f"{header}.{payload}.") is None
    assert verify(f"{header}.{payload}.{signature}") is None


def test_another_algorithm_is_refused_even_with_our_secret(forged: Callable[..., str]) -> None:
    assert verify(forged(algorithm="HS384")) is None


@pytest.mark.parametrize("key", ["x" * 48, django_settings.SECRET_KEY])
def test_another_key_is_refused_also_djangos_own(forged: Callable[..., str], key: str) -> None:
    assert verify(forged(key=key)) is None


def test_no_other_spelling_of_a_good_signature_is_good(account: Account) -> None:
    signed, _, signature = issue(account).rpartition(".")
    raw = base64.urlsafe_b64decode(f"{signature}=")
    same_bytes = [f"{signature[:-1]}{letter}" for letter in string.ascii_letters + string.digits + "-_"]
    others = [other for other in same_bytes if base64.urlsafe_b64decode(f"{other}=") == raw and other != signature]
    assert len(others) == 3
    for other in (
        *others,
        f"{signature}=",
        f" {signature}",
        f"{signature}\n",
        f"{signature[:9]}\n{signature[9:]}",
        "é",
    ):
        assert verify(f"{signed}.{other}") is None


def test_another_header_is_refused_even_with_our_secret(account: Account) -> None:
    claims = jwt.decode(issue(account), options={"verify_signature": False})
    token = jwt.encode(claims, django_settings.JWT_SECRET, algorithm="HS256", headers={"kid": "1"})
    assert jwt.decode(token, django_settings.JWT_SECRET, algorithms=["HS256"]) == claims
    assert verify(token) is None


def test_a_changed_payload_is_refused(account: Account) -> None:
    header, payload, signature = issue(account).split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "==")) | {"exp": 2**40}
    changed = base64.urlsafe_b64encode(json.dumps(claims).encode()).rstrip(b"=").decode()
    assert verify(f"{header}.{changed}.{signature}") is None


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": 1},
        {"exp": PAST},
        {"iat": PAST, "exp": PAST + 3600},
        {"exp": None},
        {"exp": "soon"},
        {"exp": 1e400},
        {"exp": 10**400},
        {"exp": FUTURE},
        {"exp": [FUTURE]},
        {"exp": True},
        {"iat": [PAST]},
        {"iat": True},
        {"iat": -(10**400)},
        {"iat": PAST},
        {"iat": 1.5},
        {"user_metadata": {"name": "\ud800"}},
        {"app_metadata": 10**400},
        {"iat": None},
        {"iat": FUTURE},
        {"nbf": FUTURE},
        {"nbf": PAST},
        {"aud": "password-reset"},
        {"user_metadata": None},
        {"stamp": "another"},
        {"stamp": None},
        {"stamp": ["list"]},
        {"stamp": ""},
        {"stamp": "ünknown"},
        {"actor_id": "user_01"},
        {"actor_id": None},
        {"actor_id": 7},
        {"actor_type": "customer"},
        {"actor_type": "api-key"},
        {"actor_type": "system"},
        {"actor_type": "__class__"},
        {"actor_type": None},
        {"actor_type": ["user"]},
        {"auth_identity_id": "user_01"},
        {"auth_identity_id": None},
        {"auth_identity_id": {"user": 1}},
    ],
    ids=str,
)
def test_claims_that_do_not_name_a_living_account_now_are_refused(
    forged: Callable[..., str], changes: dict[str, Any]
) -> None:
    assert verify(forged(**changes)) is None


ODD_TEXTS = ["\ud800", "\0", "user_\0", "user\n", "é", "x" * 256, "x" * 100_000, ["user"], {}, 7, True]


class AnyAccount:
    """Has whatever account it is asked for."""

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        raise NotImplementedError

    def find(self, identity_id: str) -> Account | None:
        return Account("any", identity_id, "stamp", Actor(type="customer", id="any"), "any@example.com")

    def find_by_email(self, email: str) -> Account | None:
        raise NotImplementedError

    def change_password(self, account: Account, *, hashed: str) -> bool:
        raise NotImplementedError


@pytest.mark.parametrize("name", ["actor_id", "actor_type", "auth_identity_id", "stamp"])
@pytest.mark.parametrize("value", ODD_TEXTS, ids=ascii)
def test_a_claim_that_is_no_plain_text_is_refused(forged: Callable[..., str], name: str, value: Any) -> None:
    assert verify(forged(**{name: value})) is None


@pytest.mark.parametrize("value", ODD_TEXTS, ids=ascii)
def test_it_is_refused_before_any_account_is_asked_for(
    forged: Callable[..., str], monkeypatch: pytest.MonkeyPatch, value: Any
) -> None:
    monkeypatch.setattr(actors, "_accounts", {"any": AnyAccount()})
    named = {"actor_type": "any", "actor_id": "any", "stamp": "stamp"}
    assert verify(forged(**named, auth_identity_id="any")) is not None
    assert verify(forged(**named, auth_identity_id=value)) is None


@pytest.mark.parametrize(("more", "is_good"), [(0, True), (0.5, False), (1, False)])
def test_a_token_that_outlives_the_lifetime_is_refused(
    account: Account, forged: Callable[..., str], more: float, is_good: bool
) -> None:
    exp = jwt.decode(issue(account), options={"verify_signature": False})["iat"] + 24 * 3600
    assert (verify(forged(exp=exp + more, iat=exp - 24 * 3600)) is not None) == is_good


DAY = 24 * 3600


@pytest.mark.parametrize(("actor_type", "days"), [("user", 1), ("customer", 7)])
def test_customers_tokens_live_for_a_week_and_those_of_staff_for_a_day(
    account: Account, customers: Customers, forged: Callable[..., str], actor_type: str, days: int
) -> None:
    named = customers.add("eve@example.com", actor_id="cus_eve") if actor_type == "customer" else account
    claims = jwt.decode(issue(named), options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] == days * DAY
    now = int(time.time())
    for ends_in, is_good in ((10, True), (-10, False)):
        at_its_end = forged(**{**claims, "iat": now + ends_in - days * DAY, "exp": now + ends_in})
        assert (verify(at_its_end) is not None) == is_good
    assert verify(forged(**{**claims, "exp": claims["exp"] + 1})) is None


@pytest.mark.parametrize("actor_type", ["user", "customer"])
def test_each_lifetime_is_of_its_own(
    account: Account, customers: Customers, settings: Settings, actor_type: str
) -> None:
    named = customers.add("eve@example.com", actor_id="cus_eve") if actor_type == "customer" else account
    token = issue(named)
    settings.JWT_LIFETIME = settings.CUSTOMER_JWT_LIFETIME = timedelta(days=7)
    assert verify(token) is not None
    shortened = "CUSTOMER_JWT_LIFETIME" if actor_type == "customer" else "JWT_LIFETIME"
    setattr(settings, shortened, timedelta(hours=1))
    assert verify(token) is None


def test_a_shorter_lifetime_ends_longer_tokens_and_a_longer_one_ends_none(account: Account, settings: Settings) -> None:
    token = issue(account)
    settings.JWT_LIFETIME *= 2
    assert verify(token) is not None
    settings.JWT_LIFETIME /= 4
    assert verify(token) is None


def test_a_token_is_good_for_its_lifetime_and_no_longer(account: Account, settings: Settings) -> None:
    settings.JWT_LIFETIME = timedelta(seconds=30)
    assert verify(issue(account)) is not None
    settings.JWT_LIFETIME = timedelta(seconds=-1)
    assert verify(issue(account)) is None


def test_a_new_password_ends_tokens_at_once(account: Account, user: User) -> None:
    token = issue(account)
    user.set_password("another password altogether")
    user.save()
    assert verify(token) is None


def test_a_password_that_is_merely_checked_ends_nothing(account: Account, user: User) -> None:
    token = issue(account)
    assert user.check_password(PASSWORD)
    user.save()
    assert verify(token) is not None


def test_deactivation_suspends_tokens_at_once(account: Account, user: User) -> None:
    token = issue(account)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert verify(token) is None


def test_deletion_ends_tokens_at_once(account: Account, user: User) -> None:
    token = issue(account)
    user.delete()
    assert verify(token) is None


def test_a_lost_permission_is_lost_to_tokens_at_once(db: None) -> None:
    bob = UserFactory(permissions=["apikeys.view_apikey"])
    found = resolve("user", bob.pk, bob.stamp)
    assert found is not None
    token = issue(found)
    before = verify(token)
    bob.user_permissions.clear()
    after = verify(token)
    assert before is not None
    assert after is not None
    assert not after.account.actor.may("apikeys.view_apikey")


def test_a_token_is_verified_by_one_statement(account: Account, django_assert_num_queries: Any) -> None:
    token = issue(account)
    with django_assert_num_queries(1):
        verify(token)


def test_an_unfinished_registration_has_no_actor_in_its_token(customers: Customers) -> None:
    account = customers.add("eve@example.com", actor_id=None)
    claims = jwt.decode(issue(account), options={"verify_signature": False})
    assert (claims["actor_id"], claims["app_metadata"]) == ("", {})
    credential = verify(issue(account))
    assert credential is not None
    assert credential.account.actor == Actor(type="customer", id=None)


def test_a_registration_token_opens_what_has_become_of_it(customers: Customers) -> None:
    token = issue(customers.add("eve@example.com", actor_id=None))
    customers.add("eve@example.com", actor_id="cus_1")
    credential = verify(token)
    assert credential is not None
    assert credential.account.actor.id == "cus_1"


def test_a_token_of_an_actor_that_is_gone_does_not_fall_back_to_a_registration(customers: Customers) -> None:
    token = issue(customers.add("eve@example.com", actor_id="cus_1"))
    customers.add("eve@example.com", actor_id=None)
    assert verify(token) is None


THREE_PARTS = st.from_regex(r"\A[\w-]*\.[\w-]*\.[\w-]*\Z")


@example("\ud800.\ud800.x")
@given(st.one_of(st.text(), THREE_PARTS, st.binary().map(lambda raw: raw.decode("latin-1"))))
def test_whatever_is_sent_as_a_token_is_refused_without_an_error(token: str) -> None:
    assert verify(token) is None


@given(st.dictionaries(st.text(), st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text())))
def test_whatever_is_signed_as_claims_is_refused_without_an_error(claims: dict[str, Any]) -> None:
    try:
        token = jwt.encode(claims, django_settings.JWT_SECRET, algorithm="HS256")
    except (TypeError, ValueError):
        return
    assert verify(token) is None
