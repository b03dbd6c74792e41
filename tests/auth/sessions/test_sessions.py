"""Sessions under attack: fixation, dead accounts, two owners of one cookie, and what the admin site makes of them."""

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from auth.sessions.middleware import SessionMiddleware
from auth.sessions.sessions import session_account
from auth.tokens.tokens import issue
from staff.models import User
from tests.auth.conftest import Customers, Send
from tests.factories.apikeys import publishable_key
from tests.factories.staff import PASSWORD
from tests.operations.redis_server import redis_for

ADMIN_SITE = "/admin/"
WHO = "/admin/api-keys"


@pytest.fixture(autouse=True, params=["rows", pytest.param("copies", marks=pytest.mark.servers("redis-server"))])
def read_from(request: pytest.FixtureRequest, settings: Settings) -> Iterator[None]:
    """The rows alone, or copies in Redis, which open no more than the rows do."""
    with redis_for(settings, "SESSIONS_IN_REDIS") if request.param == "copies" else nullcontext():
        yield


@pytest.fixture
def session(token: str, send: Send) -> str:
    """The id of Ann's session; the client has its cookie."""
    return str(send("POST", "/auth/session", token=token).cookies["connect.sid"].value)


def test_a_session_opens_admin_routes_and_the_admin_site(session: str, send: Send, client: Client) -> None:
    assert send("GET", WHO).status_code == 200
    assert client.get(ADMIN_SITE).status_code == 200


def test_a_session_id_planted_before_the_login_opens_nothing_after_it(token: str, send: Send, client: Client) -> None:
    client.cookies["connect.sid"] = "planted" + "0" * 25
    fresh = send("POST", "/auth/session", token=token).cookies["connect.sid"].value
    assert fresh != "planted" + "0" * 25
    client.cookies["connect.sid"] = "planted" + "0" * 25
    assert send("GET", WHO).status_code == 401


def test_a_new_login_rotates_a_living_session_id_and_ends_the_old_one(
    session: str, token: str, send: Send, client: Client
) -> None:
    fresh = send("POST", "/auth/session", token=token).cookies["connect.sid"].value
    assert fresh != session
    assert Session.objects.count() == 1
    client.cookies["connect.sid"] = session
    assert send("GET", WHO).status_code == 401


def test_a_new_password_ends_the_session_at_once(session: str, user: User, send: Send, client: Client) -> None:
    user.set_password("another password altogether")
    user.save()
    assert send("GET", WHO).status_code == 401
    assert client.get(ADMIN_SITE).status_code == 302


def test_deactivation_ends_the_session_at_once(session: str, user: User, send: Send, client: Client) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert send("GET", WHO).status_code == 401
    assert client.get(ADMIN_SITE).status_code == 302


def test_deletion_ends_the_session_at_once(session: str, user: User, send: Send, client: Client) -> None:
    user.delete()
    assert send("GET", WHO).status_code == 401
    assert client.get(ADMIN_SITE).status_code == 302


def test_a_session_past_its_end_is_dead(session: str, send: Send) -> None:
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert send("GET", WHO).status_code == 401


def test_authorization_wins_over_the_cookie_even_when_it_is_worthless(session: str, send: Send) -> None:
    assert send("GET", WHO, token="expired").status_code == 401
    assert send("GET", WHO, Authorization="Basic xyz").status_code == 401
    assert send("GET", WHO, Authorization="").status_code == 200


def test_a_customer_signing_in_ends_the_users_session(
    session: str, customers: Customers, send: Send, client: Client
) -> None:
    eve = customers.add("eve@example.com", actor_id="cus_1")
    assert send("POST", "/auth/session", token=issue(eve)).json()["user"]["actor_id"] == "cus_1"
    assert send("GET", WHO).status_code == 401
    assert client.get(ADMIN_SITE).status_code == 302
    assert send("POST", "/auth/token/refresh").status_code == 200
    client.cookies["connect.sid"] = session
    assert send("GET", WHO).status_code == 401


def test_a_user_signing_in_ends_the_customers_session(
    token: str, customers: Customers, send: Send, client: Client
) -> None:
    eve = customers.add("eve@example.com", actor_id="cus_1")
    first = send("POST", "/auth/session", token=issue(eve)).cookies["connect.sid"].value
    send("POST", "/auth/session", token=token)
    assert send("GET", WHO).status_code == 200
    client.cookies["connect.sid"] = first
    assert send("POST", "/auth/token/refresh").status_code == 401


def test_a_user_signing_in_at_the_admin_site_ends_the_customers_session(
    user: User, customers: Customers, send: Send, client: Client
) -> None:
    eve = customers.add("eve@example.com", actor_id="cus_1")
    first = send("POST", "/auth/session", token=issue(eve)).cookies["connect.sid"].value
    client.post("/admin/login/", {"username": user.email, "password": PASSWORD})
    assert send("GET", WHO).status_code == 200
    client.cookies["connect.sid"] = first
    assert send("POST", "/auth/token/refresh").status_code == 401


def test_a_customers_session_ends_with_the_accounts_stamp(customers: Customers, send: Send, db: None) -> None:
    send("POST", "/auth/session", token=issue(customers.add("eve@example.com", actor_id="cus_1")))
    customers.by_email.clear()
    assert send("POST", "/auth/token/refresh").status_code == 401


def test_a_users_session_at_a_store_route_counts_as_absent(session: str, send: Send) -> None:
    answer = send("GET", "/store/product-categories", X_Publishable_API_Key=publishable_key().token)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "cookie",
    [
        'connect.sid="abcdefgh\\000"',
        "connect.sid=\xff\xfe",
        "connect.sid=",
        "connect.sid",
        "connect.sid=../../etc/passwd",
        f"connect.sid={'x' * 5000}",
        f"connect.sid={'A' * 32}",
        f"connect.sid={'a' * 32}%00",
        ";;;===",
    ],
)
def test_a_cookie_that_nobody_gave_out_is_anonymous(db: None, token: str, client: Client, cookie: str) -> None:
    assert client.get(WHO, headers={"Cookie": cookie}).status_code == 401
    assert client.get(ADMIN_SITE, headers={"Cookie": cookie}).status_code == 302
    bearer = {"Cookie": cookie, "Authorization": f"Bearer {token}"}
    assert client.generic("POST", "/auth/session", headers=bearer).status_code == 200


def test_without_a_cookie_nothing_is_read(rf: RequestFactory, django_assert_num_queries: Any, db: None) -> None:
    request = rf.get(WHO)
    SessionMiddleware(lambda _: HttpResponse()).process_request(request)
    with django_assert_num_queries(0):
        assert session_account(request) is None
    assert not request.session.accessed


def test_nothing_of_the_former_owners_session_is_left(
    session: str, customers: Customers, send: Send, client: Client
) -> None:
    left = client.session
    left["draft"] = "of Ann's"
    left.save()
    send("POST", "/auth/session", token=issue(customers.add("eve@example.com", actor_id="cus_1")))
    assert "draft" not in client.session
    assert client.session["_auth_user_id"] == "authid_eve@example.com"


def test_a_session_is_resolved_by_two_statements(session: str, send: Send, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(3):  # the session, the user, and the page with its count
        send("GET", WHO)
