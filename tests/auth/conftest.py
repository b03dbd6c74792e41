"""What the tests of signing in share: requests as JSON, and accounts of customers without a table."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from nacl.pwhash import argon2id

from auth.account_types import actors
from auth.account_types.accounts import Account
from auth.tokens.tokens import issue
from kit.domain.actor import Actor
from kit.errors import Unauthorized
from kit.values.timestamps import now
from staff.models import User
from tests.factories.staff import PASSWORD, UserFactory

Send = Callable[..., HttpResponse]


def limits(*, account: int, client: int, daily: int = 100) -> dict[str, tuple[int, int]]:
    """Throttles whose windows are so long that none turns in the middle of a test."""
    tight = dict.fromkeys(("login_account", "registration", "reset"), (account, 10**9))
    loose = dict.fromkeys(("new_carts", "new_lines", "stored_kib"), (10**6, 10**9))
    return {**tight, **loose, "login_account_daily": (daily, 10**9), "client_flood": (client, 10**9)}


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The passes and bytes of each hash that is computed, whether to keep it or to compare it."""
    computed: list[tuple[int, int]] = []
    kdf = argon2id.kdf

    def noted(*given: Any, opslimit: int, memlimit: int) -> bytes:
        computed.append((opslimit, memlimit))
        return kdf(*given, opslimit=opslimit, memlimit=memlimit)

    monkeypatch.setattr(argon2id, "kdf", noted)
    return computed


@pytest.fixture
def user(db: None) -> User:
    """A member of staff who may do everything, so that only credentials decide."""
    return UserFactory(email="ann@example.com", is_superuser=True)


@pytest.fixture
def send(client: Client) -> Send:
    """`send("POST", path, body, Header=…)`: bodies go as JSON, cookies are kept as a browser keeps them."""

    def request(method: str, path: str, body: Any = None, *, token: str | None = None, **headers: str) -> HttpResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            named["Authorization"] = f"Bearer {token}"
        data = "" if body is None else json.dumps(body)
        return client.generic(method, path, data, headers=named, content_type="application/json")

    return request


@pytest.fixture
def token(user: User) -> str:
    """Ann's token."""
    return token_of(user)


def token_of(user: User) -> str:
    """A token as a login gives it, without the slow hashing of a login."""
    account = actors.resolve("user", user.pk, user.stamp)
    assert account is not None
    return issue(account)


class Customers:
    """Accounts of another type, without a table: by email, with the actor's id once the registration is finished."""

    def __init__(self) -> None:
        self.by_email: dict[str, Account] = {}

    def add(self, email: str, *, actor_id: str | None) -> Account:
        account = Account("customer", f"authid_{email}", "stamp-1", Actor(type="customer", id=actor_id), email)
        self.by_email[email] = account
        return account

    def authenticate(self, *, email: str, password: str, otp: str | None) -> Account:
        if email not in self.by_email or password != PASSWORD:
            raise Unauthorized("Invalid email or password")
        return self.by_email[email]

    def find(self, identity_id: str) -> Account | None:
        return self.by_email.get(identity_id.removeprefix("authid_"))

    def find_open(self, identity_id: str, session_key: str) -> Account | None:
        is_open = Session.objects.filter(session_key=session_key, expire_date__gt=now()).exists()
        return self.find(identity_id) if is_open else None

    def find_by_email(self, email: str) -> Account | None:
        return self.by_email.get(email)

    def change_password(self, account: Account, *, hashed: str) -> bool:
        raise NotImplementedError


@pytest.fixture
def customers(monkeypatch: pytest.MonkeyPatch) -> Customers:
    """Customers, in the place of those of the database for this test."""
    accounts = Customers()
    monkeypatch.setattr(actors, "_accounts", {**actors._accounts, "customer": accounts})
    return accounts
