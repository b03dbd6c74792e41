"""Which pages may call which routes; a storefront's scripts gain nothing from the cookie of staff."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from apikeys.models import ApiKey
from auth.account_types.actors import resolve
from auth.tokens.tokens import issue
from kit.rest.requests.origins import may_call
from staff.models import User
from tests.contract.callers import NOBODY, Caller
from tests.factories.apikeys import publishable_key
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.staff import PASSWORD, UserFactory
from tests.kit.graphql.calls import ask, is_unauthorized

OFFICE, STOREFRONT, FOREIGN = "https://office.example", "https://www.example", "https://evil.example"
OWN = "http://testserver"
STAFFS = ["/admin/api-keys", "/admin/nope", "/auth/user/emailpass"]
SHOPPERS = ["/store/products", "/store/nope", "/auth/customer/emailpass/register"]
COMMON = ["/graphql", "/auth/session", "/auth/token/refresh"]


@pytest.fixture(autouse=True)
def origins(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS, settings.ADMIN_CORS_ORIGINS = [STOREFRONT], [OFFICE]
    settings.CORS_ALLOWED_ORIGIN_REGEXES = []


def staff_token(user: User) -> str:
    account = resolve("user", user.pk, user.stamp)
    assert account is not None
    return issue(account)


@pytest.fixture
def staff(db: None) -> Caller:
    """The browser of a member of staff who may do everything, with a storefront's key in its scripts."""
    caller = Caller(x_publishable_api_key=publishable_key().token)
    token = staff_token(UserFactory(is_superuser=True))
    assert caller.post("/auth/session", Authorization=f"Bearer {token}").status_code == 200
    return caller


@pytest.mark.django_db
@pytest.mark.parametrize("is_preflight", [True, False])
@pytest.mark.parametrize(
    ("origin", "open_to_it"),
    [(STOREFRONT, SHOPPERS + COMMON), (OFFICE, STAFFS + COMMON), (FOREIGN, []), (OWN, []), ("null", []), ("", [])],
)
def test_a_page_may_call_what_is_for_it(origin: str, open_to_it: list[str], *, is_preflight: bool) -> None:
    asked = {"Access_Control_Request_Method": "POST"} if is_preflight else {}
    for path in STAFFS + SHOPPERS + COMMON:
        answer = NOBODY.send("OPTIONS" if is_preflight else "GET", path, Origin=origin, **asked)
        assert answer.get("Access-Control-Allow-Origin") == (origin if path in open_to_it else None), path
        assert ("Access-Control-Allow-Credentials" in answer) == (path in open_to_it), path
        assert "origin" in answer["Vary"].lower()


def test_an_origin_may_be_both(settings: Settings) -> None:
    settings.CORS_ALLOWED_ORIGINS = [OFFICE]
    assert all(may_call(OFFICE, path) for path in STAFFS + SHOPPERS + COMMON)


WRITES: list[tuple[str, str, Any]] = [
    ("POST", "/admin/api-keys", {"title": "Mine", "type": "secret"}),
    ("POST", "/auth/token/refresh", {}),
    ("DELETE", "/auth/session", b""),
]
DOCUMENTS = [
    "{ apiKeys { count apiKeys { title } } }",
    'mutation { createApiKey(input: {title: "Mine", type: "secret"}) { apiKey { token } } }',
    "mutation { refresh { token } }",
    "mutation { deleteSession { success } }",
]


class TestAScriptOfAStorefrontWithStaffsCookie:
    def readable(self, answer: HttpResponse) -> bool:
        return "Access-Control-Allow-Origin" in answer

    @pytest.mark.parametrize("origin", [STOREFRONT, FOREIGN, "null"])
    def test_changes_nothing_over_rest(self, staff: Caller, origin: str) -> None:
        for method, path, body in WRITES:
            answer = staff.send(method, path, body, Origin=origin)
            assert (path, answer.status_code) == (path, 403 if path.startswith("/admin") else 401)
        self.assert_untouched(staff)

    @pytest.mark.parametrize("origin", [STOREFRONT, FOREIGN, "null"])
    def test_reads_nothing_over_rest(self, staff: Caller, origin: str) -> None:
        answer = staff.get("/admin/api-keys", Origin=origin)
        assert (answer.status_code, self.readable(answer)) == (403, False)
        hidden = staff.get("/store/products", Origin=origin)  # as nobody in particular
        assert (hidden.status_code, self.readable(hidden)) == (200, origin == STOREFRONT)

    @pytest.mark.parametrize("origin", [STOREFRONT, FOREIGN, "null"])
    @pytest.mark.parametrize("document", DOCUMENTS)
    def test_does_nothing_in_graphql(self, staff: Caller, origin: str, document: str) -> None:
        assert is_unauthorized(ask(staff, document, Origin=origin))
        assert ask(staff, document, Origin=origin, x_publishable_api_key=None).status_code == 401  # type: ignore[arg-type]
        self.assert_untouched(staff)

    @pytest.mark.parametrize("origin", [STOREFRONT, FOREIGN, "null"])
    def test_opens_no_session_of_staff(self, staff: Caller, origin: str) -> None:
        token = staff_token(UserFactory(is_superuser=True))
        before = staff.client.cookies["connect.sid"].value
        answer = staff.post("/auth/session", Authorization=f"Bearer {token}", Origin=origin)
        assert (answer.status_code, answer.json()["type"]) == (403, "not_allowed")
        document = "mutation { createSession { user { actorId } } }"
        answer = ask(staff, document, Authorization=f"Bearer {token}", Origin=origin)
        assert [error["extensions"] for error in answer.json()["errors"]] == [{"type": "not_allowed"}]
        assert staff.client.cookies["connect.sid"].value == before
        self.assert_untouched(staff)

    @staticmethod
    def assert_untouched(staff: Caller) -> None:
        """No key was made, and the session is as it was."""
        assert not ApiKey.objects.filter(title="Mine").exists()
        assert staff.get("/admin/api-keys").status_code == 200


@pytest.mark.parametrize("origin", [OFFICE, OWN])
def test_staffs_own_pages_use_their_cookie_everywhere(staff: Caller, origin: str) -> None:
    assert staff.get("/admin/api-keys", Origin=origin).status_code == 200
    assert ask(staff, DOCUMENTS[0], Origin=origin).json()["data"]["apiKeys"]["count"] == 1
    assert staff.post("/auth/token/refresh", {}, Origin=origin).status_code == 200
    assert staff.post("/admin/api-keys", {"title": "Ours", "type": "secret"}, Origin=origin).status_code == 200
    assert staff.send("DELETE", "/auth/session", Origin=origin).status_code == 200


@pytest.mark.django_db
def test_a_customers_cookie_counts_at_the_storefront() -> None:
    caller = Caller(x_publishable_api_key=publishable_key().token)
    token = token_of(CustomerFactory())
    assert caller.post("/auth/session", Authorization=f"Bearer {token}", Origin=STOREFRONT).status_code == 200
    assert caller.get("/store/customers/me", Origin=STOREFRONT).status_code == 200
    assert caller.post("/store/customers/me", {"phone": "1"}, Origin=STOREFRONT).status_code == 200
    assert caller.post("/store/customers/me", {"phone": "1"}, Origin=OFFICE).status_code == 403
    assert caller.send("DELETE", "/auth/session", Origin=STOREFRONT).status_code == 200


@pytest.mark.django_db
def test_a_token_is_no_cookie_and_counts_for_all() -> None:
    user = UserFactory(is_superuser=True)
    bearer = Caller(Authorization=f"Bearer {staff_token(user)}")
    assert ask(bearer, DOCUMENTS[0], Origin=STOREFRONT).json()["data"] == {"apiKeys": {"count": 0, "apiKeys": []}}
    login = {"email": user.email, "password": PASSWORD}
    assert NOBODY.post("/auth/user/emailpass", login, Origin=STOREFRONT).status_code == 200


@pytest.mark.parametrize(
    ("origin", "is_open"),
    [
        ("http://localhost", True),
        ("http://localhost:5173", True),
        ("https://127.0.0.1:8443", True),
        ("http://[::1]:3000", True),
        ("http://localhost.evil.example", False),
        ("http://localhost:3000.evil.example", False),
        ("http://evil.example/localhost", False),
        ("http://localhost:3000\n", False),
        ("http://127.0.0.1.evil.example", False),
        ("http://127x0.0.1", False),
    ],
)
def test_in_development_every_local_page_is_a_storefront(settings: Settings, origin: str, *, is_open: bool) -> None:
    from commerce import settings as written  # noqa: PLC0415 - as they stand in the file

    settings.CORS_ALLOWED_ORIGIN_REGEXES = written.CORS_ALLOWED_ORIGIN_REGEXES
    assert may_call(origin, "/store/products") == is_open
    assert not may_call(origin, "/admin/api-keys")


def test_an_unknown_host_makes_no_origin_the_servers_own(rf: RequestFactory, staff: Caller) -> None:
    assert staff.get("/graphql", Host="evil.example", Origin="http://evil.example").status_code == 400
