"""The routes of /auth over HTTP: answers, statuses, and what each of them takes as a credential."""

import time
from typing import Any

import jwt
import pytest
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from auth.tokens.tokens import issue
from staff.models import User
from tests.auth.conftest import Customers, Send, limits
from tests.factories.apikeys import secret_key
from tests.factories.staff import PASSWORD

LOGIN = "/auth/user/emailpass"
UNAUTHORIZED = (401, "text/plain", b"Unauthorized")


def reported(answer: Any) -> tuple[int, str, bytes]:
    return answer.status_code, answer["Content-Type"], answer.content


@pytest.mark.parametrize("actor_type", ["user", "customer"])
def test_the_ways_to_sign_in_are_listed(db: None, send: Send, actor_type: str) -> None:
    answer = send("GET", f"/auth/{actor_type}/providers", token="dead")
    emailpass = {
        "id": "emailpass",
        "identifier": "emailpass",
        "display_name": "Email and password",
        "flow": "credentials",
    }
    assert (answer.status_code, answer.json()) == (200, {"providers": [emailpass]})
    assert send("GET", "/auth/robot/providers").status_code == 404


def test_a_login_answers_a_token_that_opens_admin(user: User, send: Send) -> None:
    answer = send("POST", LOGIN, {"email": user.email, "password": PASSWORD})
    assert (answer.status_code, list(answer.json())) == (200, ["token"])
    assert send("GET", "/admin/api-keys", token=answer.json()["token"]).status_code == 200
    assert not answer.cookies


def test_a_failed_login_is_reported_as_json(user: User, send: Send) -> None:
    answer = send("POST", LOGIN, {"email": user.email, "password": "wrong"})
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/json")
    assert answer.json() == {"type": "unauthorized", "message": "Invalid email or password"}


def test_the_second_factor_is_asked_for_once_the_password_is_right(user: User, send: Send) -> None:
    TOTPDevice.objects.create(user=user, name="phone")
    answer = send("POST", LOGIN, {"email": user.email, "password": PASSWORD})
    assert (answer.status_code, answer.json()) == (
        401,
        {"type": "unauthorized", "message": "A one-time password is required, send it as 'otp'"},
    )
    answer = send("POST", LOGIN, {"email": user.email, "password": PASSWORD, "otp": "wrong"})
    assert (answer.status_code, answer.json()["message"]) == (401, "Invalid one-time password")


def test_throttled_logins_say_when_to_come_again(user: User, send: Send, settings: Settings) -> None:
    settings.THROTTLES = limits(account=2, client=100)
    for _ in range(2):
        assert send("POST", LOGIN, {"email": user.email, "password": "wrong"}).status_code == 401
    answer = send("POST", LOGIN, {"email": user.email, "password": PASSWORD})
    assert (answer.status_code, answer.json()) == (
        429,
        {"type": "not_allowed", "message": "Too many attempts, try again later"},
    )
    assert 1 <= int(answer["Retry-After"]) <= 10**9


def test_clients_behind_our_proxy_are_flood_limited_apart(user: User, send: Send, settings: Settings) -> None:
    settings.THROTTLES = limits(account=100, client=1)
    settings.TRUSTED_PROXIES = 1
    login = {"email": user.email, "password": PASSWORD}
    assert send("POST", LOGIN, login, X_Forwarded_For="192.0.2.1").status_code == 200
    assert send("POST", LOGIN, login, X_Forwarded_For="198.51.100.1, 192.0.2.1").status_code == 429
    assert send("POST", LOGIN, login, X_Forwarded_For="192.0.2.2").status_code == 200


@pytest.mark.parametrize("authorization", ["Bearer expired", "Basic xyz", "Bearer sk_0"])
def test_a_login_disregards_whatever_credential_comes_along(user: User, send: Send, authorization: str) -> None:
    login = {"email": user.email, "password": PASSWORD}
    assert send("POST", LOGIN, login, Authorization=authorization).status_code == 200


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "Invalid request: Field 'email' is required; Field 'password' is required"),
        ({"email": "a@b.c"}, "Invalid request: Field 'password' is required"),
        ({"email": 7, "password": "x"}, "Invalid request: Expected type: 'string' for field 'email', got: '7'"),
        (
            {"email": "a", "password": None},
            "Invalid request: Expected type: 'string' for field 'password', got: 'null'",
        ),
        ({"email": "a", "password": "x", "admin": 1}, "Invalid request: Unrecognized fields: 'admin'"),
    ],
)
def test_a_malformed_login_is_refused_naming_the_field(db: None, send: Send, body: Any, message: str) -> None:
    answer = send("POST", LOGIN, body)
    assert (answer.status_code, answer.json()) == (400, {"type": "invalid_data", "message": message})


@pytest.mark.parametrize(
    "login",
    [
        {"email": "ä" * 255, "password": "x"},
        {"email": "\N{KELVIN SIGN}@example.com", "password": "\N{PILE OF POO}" * 4096},
        {"email": "' OR 1=1 --", "password": "%s"},
    ],
)
def test_strange_words_are_merely_wrong(db: None, send: Send, login: dict[str, str]) -> None:
    assert send("POST", LOGIN, login).status_code == 401


@pytest.mark.parametrize("path", ["/auth/robot/emailpass", "/auth/system/emailpass", "/auth/api-key/emailpass"])
def test_an_actor_type_that_cannot_sign_in_has_no_route(db: None, send: Send, path: str) -> None:
    answer = send("POST", path, {"email": "a@b.c", "password": "x"})
    assert (answer.status_code, answer.json()["type"]) == (404, "not_found")


def test_a_type_entered_by_another_app_signs_in_at_its_own_route(customers: Customers, send: Send, db: None) -> None:
    customers.add("eve@example.com", actor_id="cus_1")
    login = {"email": "eve@example.com", "password": PASSWORD}
    token = send("POST", "/auth/customer/emailpass", login).json()["token"]
    assert jwt.decode(token, options={"verify_signature": False})["app_metadata"] == {"customer_id": "cus_1"}
    assert send("POST", LOGIN, login).status_code == 401


def test_a_customers_token_does_not_open_admin(customers: Customers, send: Send, db: None) -> None:
    token = issue(customers.add("eve@example.com", actor_id="cus_1"))
    assert reported(send("GET", "/admin/api-keys", token=token)) == UNAUTHORIZED


@pytest.mark.parametrize("path", [LOGIN + "/", "/auth/session/", "/auth/token/refresh/", "/auth/user", "/auth"])
def test_other_paths_have_no_route(db: None, send: Send, path: str) -> None:
    assert send("POST", path).status_code == 404


class TestRefresh:
    def test_a_token_brings_a_new_one(self, user: User, token: str, send: Send) -> None:
        answer = send("POST", "/auth/token/refresh", token=token)
        assert (answer.status_code, list(answer.json())) == (200, ["token"])
        claims = jwt.decode(answer.json()["token"], options={"verify_signature": False})
        assert (claims["actor_id"], claims["exp"]) == (user.pk, pytest.approx(time.time() + 24 * 3600, abs=3))

    def test_a_session_brings_one_too(self, token: str, send: Send) -> None:
        send("POST", "/auth/session", token=token)
        fresh = send("POST", "/auth/token/refresh").json()["token"]
        assert send("GET", "/admin/api-keys", token=fresh).status_code == 200

    def test_a_registration_finished_since_brings_its_actor(self, customers: Customers, send: Send, db: None) -> None:
        token = issue(customers.add("eve@example.com", actor_id=None))
        customers.add("eve@example.com", actor_id="cus_1")
        fresh = send("POST", "/auth/token/refresh", token=token).json()["token"]
        assert jwt.decode(fresh, options={"verify_signature": False})["actor_id"] == "cus_1"

    def test_an_unfinished_registration_may_refresh_and_open_a_session(
        self, customers: Customers, send: Send, db: None
    ) -> None:
        token = issue(customers.add("eve@example.com", actor_id=None))
        assert send("POST", "/auth/token/refresh", token=token).status_code == 200
        assert send("POST", "/auth/session", token=token).json()["user"]["actor_id"] == ""

    def test_nothing_else_does(self, user: User, send: Send) -> None:
        assert reported(send("POST", "/auth/token/refresh")) == UNAUTHORIZED
        assert reported(send("POST", "/auth/token/refresh", token="nonsense")) == UNAUTHORIZED
        assert reported(send("POST", "/auth/token/refresh", token=secret_key(user).token)) == UNAUTHORIZED


class TestOpeningASession:
    def test_the_answer_shows_the_tokens_claims_and_sets_the_cookie(
        self, token: str, send: Send, settings: Settings
    ) -> None:
        settings.SESSION_COOKIE_SECURE = True
        answer = send("POST", "/auth/session", token=token)
        claims = jwt.decode(token, options={"verify_signature": False})
        assert (answer.status_code, answer.json()) == (200, {"user": claims})
        cookie = answer.cookies["connect.sid"]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["secure"]) == (True, "Lax", "/", True)
        assert cookie["max-age"] == pytest.approx(10 * 3600, abs=3)

    def test_a_session_does_not_outlive_its_token(self, user: User, send: Send, settings: Settings) -> None:
        settings.JWT_LIFETIME /= 24 * 60
        token = send("POST", LOGIN, {"email": user.email, "password": PASSWORD}).json()["token"]
        assert send("POST", "/auth/session", token=token).cookies["connect.sid"]["max-age"] == pytest.approx(60, abs=3)

    def test_that_of_a_customer_lives_as_long_as_the_token(self, db: None, customers: Customers, send: Send) -> None:
        token = issue(customers.add("eve@example.com", actor_id="cus_eve"))
        answer = send("POST", "/auth/session", token=token)
        assert answer.cookies["connect.sid"]["max-age"] == pytest.approx(7 * 24 * 3600, abs=3)

    def test_only_a_token_opens_one(self, user: User, token: str, send: Send, client: Client) -> None:
        assert reported(send("POST", "/auth/session")) == UNAUTHORIZED
        assert reported(send("POST", "/auth/session", token="nonsense")) == UNAUTHORIZED
        assert reported(send("POST", "/auth/session", token=secret_key(user).token)) == UNAUTHORIZED
        send("POST", "/auth/session", token=token)
        assert reported(send("POST", "/auth/session")) == UNAUTHORIZED


class TestClosingASession:
    def test_it_ends_on_the_server_too(self, token: str, send: Send, client: Client) -> None:
        session_id = send("POST", "/auth/session", token=token).cookies["connect.sid"].value
        answer = send("DELETE", "/auth/session")
        assert (answer.status_code, answer.json()) == (200, {"success": True})
        assert answer.cookies["connect.sid"]["max-age"] == 0
        client.cookies["connect.sid"] = session_id
        assert send("GET", "/admin/api-keys").status_code == 401

    def test_without_a_session_there_is_nothing_to_close(self, db: None, send: Send) -> None:
        assert reported(send("DELETE", "/auth/session")) == UNAUTHORIZED

    def test_a_token_is_no_session(self, token: str, send: Send) -> None:
        send("POST", "/auth/session", token=token)
        assert reported(send("DELETE", "/auth/session", token=token)) == UNAUTHORIZED
        assert send("GET", "/admin/api-keys").status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", LOGIN, "OPTIONS, POST"),
        ("GET", "/auth/token/refresh", "OPTIONS, POST"),
        ("GET", "/auth/session", "DELETE, OPTIONS, POST"),
    ],
)
def test_other_methods_are_named_as_not_allowed(db: None, send: Send, method: str, path: str, allowed: str) -> None:
    answer = send(method, path)
    assert (answer.status_code, answer["Allow"], answer.json()["type"]) == (405, allowed, "not_allowed")
