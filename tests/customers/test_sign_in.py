"""Customers' tokens and sessions under attack, at the door and at the routes of their own."""

import base64
import json
import re
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from nacl.pwhash import argon2id

from auth.models import AuthIdentity
from customers.models import Customer
from tests.contract.callers import Caller, reported
from tests.factories.apikeys import publishable_key
from tests.factories.customers import AddressFactory, CustomerFactory, IdentityFactory, registration_token, token_of
from tests.factories.staff import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db
LOGIN = "/auth/customer/emailpass"
ME = "/store/customers/me"
INVALID = (401, {"type": "unauthorized", "message": "Invalid email or password"})
UNAUTHORIZED = (401, "text/plain", b"Unauthorized")


def log_in(email: str, password: str = PASSWORD) -> tuple[int, dict[str, Any]]:
    answer = Caller().post(LOGIN, {"email": email, "password": password})
    return answer.status_code, answer.json()


@pytest.fixture
def browser(eve: Customer) -> Caller:
    """A browser that keeps the cookie of Eve's session, and sends nothing else but the storefront's key."""
    caller = Caller(x_publishable_api_key=publishable_key().token)
    assert caller.post("/auth/session", Authorization=f"Bearer {token_of(eve)}").status_code == 200
    return caller


class TestLogin:
    def test_a_token_names_the_customer(self, eve: Customer) -> None:
        status, body = log_in(" EVE@example.com")
        claims = jwt.decode(body["token"], options={"verify_signature": False})
        assert (status, claims["actor_id"], claims["app_metadata"]) == (200, eve.pk, {"customer_id": eve.pk})

    def test_every_failure_says_the_same(self, eve: Customer) -> None:
        CustomerFactory(email="guest@example.com", has_account=False)
        UserFactory(email="staff@example.com")
        assert log_in("eve@example.com", "wrong") == INVALID
        for email in (
            "nobody@example.com",
            "guest@example.com",
            "staff@example.com",
            "",
            "eve",
            "e" * 255,
            "' OR 1=1 --",
        ):
            assert log_in(email) == INVALID

    def test_what_merely_looks_like_the_email_opens_nothing(self) -> None:
        CustomerFactory(email="kim@example.com")
        assert log_in("KIM@example.com")[0] == 200
        for email in ("\u212aim@example.com", "k\u0131m@example.com", "kim@example.com.", "kim@example.com\u200b"):
            assert log_in(email) == INVALID

    def test_a_failure_costs_one_hash_and_one_look_up_whether_the_account_exists_or_not(
        self, eve: Customer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hashed: list[int] = []
        kdf = argon2id.kdf

        def counted(*given: Any, **cost: int) -> bytes:
            hashed.append(cost["memlimit"])
            return kdf(*given, **cost)

        monkeypatch.setattr(argon2id, "kdf", counted)
        shapes = []
        for email in ("eve@example.com", "nobody@example.com"):
            hashed.clear()
            with CaptureQueriesContext(connection) as queries:
                assert log_in(email, "wrong") == INVALID
            shapes.append(([re.sub(r"'[^']*'|\d+", "?", query["sql"]) for query in queries], list(hashed)))
        assert shapes[0] == shapes[1]
        assert len(shapes[0][1]) == 1

    def test_an_unfinished_registration_logs_in_without_an_actor(self) -> None:
        IdentityFactory(email="new@example.com")
        status, body = log_in("new@example.com")
        assert (status, jwt.decode(body["token"], options={"verify_signature": False})["actor_id"]) == (200, "")


class TestTokens:
    @pytest.fixture
    def forged(self, eve: Customer) -> Callable[..., Caller]:
        claims = jwt.decode(token_of(eve), options={"verify_signature": False})
        key = publishable_key().token

        def forge(secret: str = settings.JWT_SECRET, algorithm: str = "HS256", **changes: object) -> Caller:
            kept = {name: value for name, value in {**claims, **changes}.items() if value is not None}
            token = jwt.encode(kept, secret, algorithm=algorithm)
            return Caller(x_publishable_api_key=key, Authorization=f"Bearer {token}")

        return forge

    def test_the_forging_works(self, forged: Callable[..., Caller]) -> None:
        assert forged().get(ME).status_code == 200

    @pytest.mark.parametrize(
        "changes",
        [
            {"secret": "x" * 48},
            {"secret": settings.SECRET_KEY},
            {"algorithm": "HS384"},
            {"exp": 1},
            {"exp": 1_700_000_000},
            {"exp": None},
            {"actor_id": "cus_1"},
            {"actor_type": "user"},
            {"actor_type": "system"},
            {"stamp": "another"},
            {"stamp": None},
            {"auth_identity_id": "authid_1"},
            {"aud": "password-reset"},
        ],
        ids=str,
    )
    def test_what_we_did_not_sign_so_opens_nothing(
        self, forged: Callable[..., Caller], changes: dict[str, Any]
    ) -> None:
        assert reported(forged(**changes).get(ME)) == UNAUTHORIZED

    def test_another_customers_claims_open_nothing(self, forged: Callable[..., Caller]) -> None:
        other = CustomerFactory()
        identity = AuthIdentity.objects.get(customer_id=other.pk)
        assert reported(forged(actor_id=other.pk).get(ME)) == UNAUTHORIZED
        assert reported(forged(auth_identity_id=identity.pk).get(ME)) == UNAUTHORIZED
        assert reported(forged(actor_id=other.pk, auth_identity_id=identity.pk).get(ME)) == UNAUTHORIZED

    @pytest.mark.parametrize("algorithm", ["none", "None", "NONE"])
    def test_an_unsigned_token_opens_nothing(self, eve: Customer, algorithm: str) -> None:
        _, payload, signature = token_of(eve).split(".")
        header = base64.urlsafe_b64encode(json.dumps({"alg": algorithm, "typ": "JWT"}).encode()).rstrip(b"=").decode()
        store = Caller(x_publishable_api_key=publishable_key().token)
        for token in (f"{header}.{payload}.", f"{header}.{payload}.{signature}"):
            assert reported(store.get(ME, Authorization=f"Bearer {token}")) == UNAUTHORIZED

    def test_where_nobody_need_sign_in_a_dead_one_counts_as_none(self, forged: Callable[..., Caller]) -> None:
        assert forged(exp=1).get("/store/product-categories").status_code == 200

    def test_a_customers_opens_no_route_of_staff(self, eve: Customer) -> None:
        assert reported(Caller(Authorization=f"Bearer {token_of(eve)}").get("/admin/api-keys")) == UNAUTHORIZED


class TestSessions:
    def test_the_cookie_opens_the_routes_of_customers(self, browser: Caller, eve: Customer) -> None:
        assert browser.get(ME).json()["customer"]["id"] == eve.pk
        assert browser.post(ME, {"phone": "1"}).status_code == 200

    def test_a_session_id_planted_before_the_login_opens_nothing_after_it(self, eve: Customer) -> None:
        caller = Caller(x_publishable_api_key=publishable_key().token)
        stranger = registration_token(IdentityFactory())
        planted = caller.post("/auth/session", Authorization=f"Bearer {stranger}").cookies["connect.sid"].value
        fresh = caller.post("/auth/session", Authorization=f"Bearer {token_of(eve)}").cookies["connect.sid"].value
        assert fresh != planted
        assert Session.objects.count() == 1
        caller.client.cookies["connect.sid"] = planted
        assert reported(caller.get(ME)) == UNAUTHORIZED

    def test_a_registrations_session_becomes_the_customers(self) -> None:
        caller = Caller(x_publishable_api_key=publishable_key().token)
        caller.post("/auth/session", Authorization=f"Bearer {registration_token(IdentityFactory())}")
        assert reported(caller.get(ME)) == UNAUTHORIZED
        customer = caller.post("/store/customers", {}).json()["customer"]
        assert caller.get(ME).json()["customer"]["id"] == customer["id"]

    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Origin": "http://testserver.evil.example"},
        ],
    )
    def test_a_page_of_another_site_changes_nothing_by_the_cookie(
        self, browser: Caller, eve: Customer, headers: dict[str, str]
    ) -> None:
        address = AddressFactory(customer=eve)
        for method, path, body in [
            ("POST", ME, {"phone": "1"}),
            ("POST", f"{ME}/addresses", {"city": "Ulm"}),
            ("POST", f"{ME}/addresses/{address.pk}", {"city": "Ulm"}),
            ("DELETE", f"{ME}/addresses/{address.pk}", b""),
        ]:
            answer = browser.send(method, path, body, **headers)
            assert (answer.status_code, answer.json()["type"]) == (403, "not_allowed")
        assert list(eve.addresses.values_list("city", flat=True)) == ["New York"]
        eve.refresh_from_db()
        assert eve.phone is None

    def test_the_storefronts_own_pages_do(self, browser: Caller) -> None:
        for headers in (
            {"Origin": "http://localhost:8000"},
            {"Origin": "http://testserver"},
            {"Sec_Fetch_Site": "none"},
        ):
            assert browser.post(ME, {"phone": "1"}, **headers).status_code == 200

    def test_no_form_of_a_page_can_write(self, browser: Caller, eve: Customer) -> None:
        answer = browser.send("POST", ME, b"phone=1", content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 415
        eve.refresh_from_db()
        assert eve.phone is None

    def test_a_token_beside_the_cookie_decides_alone(self, browser: Caller) -> None:
        other = CustomerFactory()
        assert browser.get(ME, Authorization=f"Bearer {token_of(other)}").json()["customer"]["id"] == other.pk
        assert reported(browser.get(ME, Authorization="Bearer x.y.z")) == UNAUTHORIZED

    def test_it_ends_by_logging_out(self, browser: Caller) -> None:
        assert browser.send("DELETE", "/auth/session").status_code == 200
        assert reported(browser.get(ME)) == UNAUTHORIZED
