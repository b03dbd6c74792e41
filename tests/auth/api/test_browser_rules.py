"""What pages of other sites may do with a visitor's cookie: nothing that changes anything."""

from typing import Any

import pytest
from django.test import Client, RequestFactory
from pytest_django import Settings

from auth.api.browser_rules import refuse_foreign_page
from kit.errors import Forbidden
from staff.models import User
from tests.auth.conftest import Send
from tests.factories.staff import PASSWORD

BACK_OFFICE = "https://office.example.com"
REFRESH = "/auth/token/refresh"


@pytest.fixture(autouse=True)
def session(token: str, send: Send, settings: Settings) -> None:
    """The client has Ann's cookie."""
    settings.ADMIN_CORS_ORIGINS = [BACK_OFFICE]
    send("POST", "/auth/session", token=token)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": BACK_OFFICE},
        {"Origin": BACK_OFFICE, "Sec_Fetch_Site": "cross-site"},
        {"Origin": "http://testserver"},
        {"Origin": "http://testserver", "Sec_Fetch_Site": "same-origin"},
        {"Sec_Fetch_Site": "same-origin"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
    ],
    ids=str,
)
def test_own_pages_and_programs_may(send: Send, headers: dict[str, str]) -> None:
    assert send("POST", REFRESH, **headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example.com"},
        {"Origin": "https://evil.example.com", "Sec_Fetch_Site": "same-origin"},
        {"Origin": "null"},
        {"Origin": "null", "Sec_Fetch_Site": "same-origin"},
        {"Origin": ""},
        {"Origin": "https://office.example.com.evil.example.com"},
        {"Origin": "http://office.example.com"},
        {"Origin": "https://office.example.com:8443"},
        {"Origin": "https://testserver"},
        {"Origin": "http://testserver.evil.example.com"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "anything"},
        {"Sec_Fetch_Site": ""},
    ],
    ids=str,
)
def test_other_pages_may_not(send: Send, headers: dict[str, str]) -> None:
    """Outside /admin the cookie is ignored if a page names its origin; see test_origins.py."""
    answer = send("POST", "/admin/api-keys", {"title": "A", "type": "secret"}, **headers)
    assert (answer.status_code, answer.json()["type"]) == (403, "not_allowed")
    elsewhere = 401 if "Origin" in headers else 403
    assert send("POST", REFRESH, **headers).status_code == elsewhere
    assert send("DELETE", "/auth/session", **headers).status_code == elsewhere
    assert send("GET", "/admin/api-keys").status_code == 200


def test_a_foreign_host_header_does_not_make_its_page_an_own_one(send: Send) -> None:
    answer = send("POST", REFRESH, Host="evil.example.com", Origin="http://evil.example.com")
    assert answer.status_code in (400, 401)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_a_form_can_send_is_refused(client: Client, rf: RequestFactory, content_type: str) -> None:
    answer: Any = client.generic("POST", REFRESH, "{}", content_type=content_type)
    assert answer.status_code == 415
    with pytest.raises(Forbidden, match="application/json"):  # also where no parser has looked before
        refuse_foreign_page(rf.generic("POST", REFRESH, "{}", content_type=content_type))


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8"])
def test_a_json_body_is_accepted(rf: RequestFactory, content_type: str) -> None:
    refuse_foreign_page(rf.generic("POST", REFRESH, "{}", content_type=content_type))


@pytest.mark.parametrize("origin", ["https://evil.example.com", "null", ""])
def test_a_foreign_page_reads_nothing_of_the_back_office(send: Send, origin: str) -> None:
    for method in ("GET", "HEAD"):
        answer = send(method, "/admin/api-keys", Origin=origin)
        assert (answer.status_code, "Access-Control-Allow-Origin" in answer) == (403, False)
    for own in (BACK_OFFICE, "http://testserver"):
        assert send("GET", "/admin/api-keys", Origin=own).status_code == 200


@pytest.mark.parametrize(
    ("origin", "status"), [("https://evil.example.com", 302), ("null", 302), ("http://testserver", 200), (None, 200)]
)
def test_a_foreign_page_reads_no_page_of_the_admin_site(send: Send, origin: str | None, status: int) -> None:
    page = send("GET", "/admin/staff/user/", **({} if origin is None else {"Origin": origin}))
    assert (page.status_code, "Access-Control-Allow-Origin" in page) == (status, False)


def test_a_dead_cookie_is_anonymous_and_not_judged(send: Send, client: Client) -> None:
    client.cookies["connect.sid"] = "0" * 32
    assert send("POST", REFRESH, Origin="https://evil.example.com").status_code == 401


def test_a_login_is_not_judged_since_the_cookie_plays_no_part_in_it(user: User, send: Send) -> None:
    login = {"email": user.email, "password": PASSWORD}
    assert send("POST", "/auth/user/emailpass", login, Origin="https://evil.example.com").status_code == 200


def test_a_token_is_not_bound_to_pages_since_no_browser_sends_it_by_itself(token: str, send: Send) -> None:
    assert send("POST", REFRESH, token=token, Origin="https://evil.example.com").status_code == 200
