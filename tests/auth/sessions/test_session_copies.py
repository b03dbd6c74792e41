"""Copies of sessions in Redis: they save a statement, and open nothing that the database has ended."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography import fernet
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from auth.account_types.staff_accounts import StaffAccounts
from auth.passwords.password_update import update_password
from auth.passwords.reset_tokens import issue_reset_token
from kit.database import redis_client
from kit.values.timestamps import now
from staff.models import User
from tests.auth.conftest import Send, token_of
from tests.contract.callers import Caller
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory
from tests.factories.customers import token_of as customers_token
from tests.factories.staff import UserFactory
from tests.operations.redis_server import RedisServer, redis_for

pytestmark = [pytest.mark.django_db, pytest.mark.servers("redis-server")]
WHO = "/admin/api-keys"
ME = "/store/customers/me"


@pytest.fixture(autouse=True)
def redis(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[RedisServer]:
    """Asked again at once, so that tests need not wait for the pause's end."""
    monkeypatch.setattr(redis_client, "PAUSE_SECONDS", 0.0)
    with redis_for(settings, "SESSIONS_IN_REDIS") as server:
        yield server


@pytest.fixture
def session(token: str, send: Send) -> str:
    """The id of Ann's session; the client has its cookie, and Redis a copy."""
    opened = str(send("POST", "/auth/session", token=token).cookies["connect.sid"].value)
    assert send("GET", WHO).status_code == 200
    return opened


@pytest.fixture
def copy(session: str, redis: RedisServer) -> Callable[[], bytes | None]:
    """What Redis holds of Ann's session."""
    with redis.client() as client:
        (key,) = client.keys()

        def read() -> bytes | None:
            with redis.client() as again:
                return again.get(key)

        return read


def test_a_copied_session_and_its_account_are_read_by_one_statement(
    session: str, send: Send, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):  # the user with the session, and the page with its count
        assert send("GET", WHO).status_code == 200


def test_a_copied_customer_session_is_read_by_one_statement(django_assert_num_queries: Any) -> None:
    browser = Caller(x_publishable_api_key=publishable_key().token)
    eve = CustomerFactory(email="eve@example.com")
    browser.post("/auth/session", Authorization=f"Bearer {customers_token(eve)}")
    with django_assert_num_queries(2):  # the session and the identity
        browser.post("/auth/token/refresh")
    with django_assert_num_queries(1):
        assert browser.post("/auth/token/refresh").status_code == 200
    assert browser.get(ME).json()["customer"]["email"] == "eve@example.com"


def test_what_redis_holds_opens_no_session_names_nobody_and_ends_within_a_minute(
    session: str, user: User, redis: RedisServer
) -> None:
    with redis.client() as client:
        (key,) = client.keys()
        held = key + (client.get(key) or b"")
        assert 0 < client.ttl(key) <= 60
    for secret in (session, user.pk, user.stamp, user.email):
        assert secret.encode() not in held


@dataclass(frozen=True)
class Ann:
    """A member of staff with a session. session: its id; the client has its cookie, and Redis a copy."""

    session: str
    send: Send
    client: Client
    user: User


@pytest.fixture
def ann(session: str, send: Send, client: Client, user: User) -> Ann:
    return Ann(session, send, client, user)


def log_out(ann: Ann) -> None:
    assert ann.send("DELETE", "/auth/session").status_code == 200


def log_out_of_the_admin_site(ann: Ann) -> None:
    ann.client.post("/admin/logout/")


def sign_in_again(ann: Ann) -> None:
    ann.send("POST", "/auth/session", token=token_of(ann.user))


def reset_the_password(ann: Ann) -> None:
    account = StaffAccounts().find(ann.user.pk)
    assert account is not None
    update_password(actor_type="user", token=issue_reset_token(account), password="of fresh leaves, 1913")


def deactivate(ann: Ann) -> None:
    User.objects.filter(pk=ann.user.pk).update(is_active=False)


def delete(ann: Ann) -> None:
    ann.user.delete()


def let_it_expire(ann: Ann) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))


def prune(ann: Ann) -> None:
    Session.objects.update(expire_date=now() - timedelta(days=1))
    call_command("prune", verbosity=0)


def delete_all_sessions(ann: Ann) -> None:
    Session.objects.all().delete()


ENDINGS = [
    log_out,
    log_out_of_the_admin_site,
    sign_in_again,
    reset_the_password,
    deactivate,
    delete,
    let_it_expire,
    prune,
    delete_all_sessions,
]


@pytest.mark.parametrize("end", ENDINGS)
@pytest.mark.parametrize("meets_redis", [True, False], ids=["with Redis", "while Redis is silent"])
def test_an_ended_session_opens_nothing_though_its_copy_is_still_there(
    end: Callable[[Ann], None], meets_redis: bool, ann: Ann, copy: Callable[[], bytes | None], redis: RedisServer
) -> None:
    """What a request asks while Redis is silent is done later: so a copy can even be made after the end."""
    with nullcontext() if meets_redis else redis.paused():
        end(ann)
    assert copy() is not None
    ann.client.cookies["connect.sid"] = ann.session
    assert ann.send("GET", WHO).status_code == 401
    assert ann.client.get("/admin/").status_code == 302


def test_nobody_is_signed_out_when_redis_is_silent_killed_or_empty(
    session: str, send: Send, client: Client, redis: RedisServer
) -> None:
    with redis.paused():
        assert send("GET", WHO).status_code == 200
    redis.kill()
    assert send("GET", WHO).status_code == 200
    redis.start()
    assert send("GET", WHO).status_code == 200
    assert client.get("/admin/").status_code == 200


def test_a_copy_opens_no_other_session(session: str, redis: RedisServer, send: Send, client: Client) -> None:
    """Someone who can write to Redis puts the copy of Ann's session in the place of that of their own."""
    bob = UserFactory(email="bob@example.com", is_superuser=False)
    with redis.client() as writer:
        (of_ann,) = writer.keys()
        send("POST", "/auth/session", token=token_of(bob))
        assert send("GET", WHO).status_code == 403
        (of_bob,) = set(writer.keys()) - {of_ann}
        writer.set(of_bob, writer.get(of_ann))
        assert send("GET", WHO).status_code == 403
        writer.set(of_bob, b"what nobody has encrypted")
        assert send("GET", WHO).status_code == 403
        writer.delete(of_bob)
        writer.lpush(of_bob, "of another type")
        assert send("GET", WHO).status_code == 403


def test_a_copy_older_than_a_minute_is_not_used(
    session: str, redis: RedisServer, send: Send, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    """Even if someone keeps it in Redis for longer."""
    later = timezone.now().timestamp() + 61
    with redis.client() as client:
        (key,) = client.keys()
        client.persist(key)
    monkeypatch.setattr(fernet, "time", SimpleNamespace(time=lambda: later))
    with django_assert_num_queries(3):
        assert send("GET", WHO).status_code == 200


def test_a_copy_from_before_a_change_of_the_secret_is_not_used(
    session: str, send: Send, settings: Settings, django_assert_num_queries: Any
) -> None:
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret of more than fifty characters, for the next year"
    with django_assert_num_queries(3):
        assert send("GET", WHO).status_code == 200
    with django_assert_num_queries(2):
        assert send("GET", WHO).status_code == 200
