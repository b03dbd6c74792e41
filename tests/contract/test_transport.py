"""HTTP around the routes: unknown paths, odd encodings, other origins, and the order of all checks."""

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.contract.callers import JSON, NOBODY, Caller, importer, refusal, reported, storefront
from tests.factories.apikeys import publishable_key, secret_key
from tests.factories.staff import UserFactory

pytestmark = [pytest.mark.every(6), pytest.mark.once, pytest.mark.django_db]

CATEGORIES, KEYS = "/store/product-categories", "/admin/api-keys"
UNKNOWN = [
    "/", "/nope", "/store", "/store/", "/store/nope", f"{CATEGORIES}/", f"{CATEGORIES}/a/", f"{CATEGORIES}/a/b",
    "/Store/product-categories", "/store//product-categories", f"{KEYS}/", f"{KEYS}/a/", f"{KEYS}/a/nope",
    f"{KEYS}/a/revoke/", f"{KEYS}/a/b/c", f"{KEYS}-nope", f"{KEYS}.json", "/auth", "/auth/", "/auth/nope",
    "/auth/nope/emailpass", "/auth/session/", "/health", "/health/nope", "/health/live/", "/graphql/nope",
    "/admin/nope", "/admin/nope/", "/admin/nope/a", "/admin/nope/a/", "/admin//", "/admin/apikeys", "/admin/login",
    "/admin/apikeys/apikey", "/admin/apikeys/apikey/add", "/admin/nope%0A", "/admin/%FF", "/admin/%FF/",
    "/store/%FF", "/store/%zz", "/store/%00", "/store/..", "/store/é", "/openapi.json/", "/docs/nope",
]  # fmt: skip


@pytest.mark.parametrize("path", UNKNOWN)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PUT"])
def test_an_unknown_path_is_not_found_for_every_caller(path: str, method: str) -> None:
    staff = secret_key(UserFactory(is_superuser=True))
    for caller in (NOBODY, storefront(publishable_key()), importer(staff)):
        response = caller.send(method, path, b"{")
        status, message = refusal(response)
        assert (status, response.json()["type"]) == (404, "not_found"), response.content
        assert message.startswith(f"Cannot {method} /")


@pytest.mark.parametrize(
    "path", ["/nope", "/store/nope", f"{KEYS}/a/nope", "/admin/nope", "/admin/nope/", "/auth/nope"]
)
def test_a_browser_gets_a_page_for_an_unknown_path(path: str) -> None:
    accept = "text/html,application/xhtml+xml,*/*;q=0.8"
    response = NOBODY.get(path, Accept=accept)
    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert NOBODY.send("HEAD", path, Accept=accept).status_code == 404
    assert refusal(NOBODY.send("POST", path, Accept=accept))[0] == 404


@pytest.mark.parametrize(
    "accept", ["text/html", "image/png", "application/xml", "text/html;q=0.9, */*;q=0.1", "", "nonsense", "*/*"]
)
def test_known_routes_answer_json_whatever_is_accepted(accept: str, store: Caller) -> None:
    for response in (
        store.get(CATEGORIES, Accept=accept),
        store.get(CATEGORIES, "nope=1", Accept=accept),
        NOBODY.get(CATEGORIES, Accept=accept),
    ):
        assert response["Content-Type"] == JSON
    assert reported(NOBODY.get(KEYS, Accept=accept)) == (401, "text/plain", b"Unauthorized")


@pytest.mark.parametrize(
    "id",
    [
        "%FF",
        "%00",
        "a%00b",
        "%zz",
        "%",
        "%E2%82",
        "%F0%9F%99%82",
        "%2F",
        "a%2Fb",
        "..",
        "%20",
        "'",
        '"',
        "x" * 5_000,
        "*",
        "{id}",
        "null",
        "%0A",
    ],
)
def test_an_odd_id_is_one_that_nobody_has(id: str, store: Caller, admin: Caller) -> None:
    for caller, path in ((store, CATEGORIES), (admin, KEYS)):
        response = caller.get(f"{path}/{id}")
        assert (refusal(response)[0], response.json()["type"]) in ((404, "not_found"), (400, "invalid_data"))
        assert (response.status_code == 400) == ("%00" in id)
        assert len(response.content) < 400 or len(id) > 1000


def test_text_that_was_not_escaped_is_found_as_if_it_were(store: Caller) -> None:
    raw, escaped = (store.get(CATEGORIES, f"name={name}") for name in ("Grün".encode().decode("latin-1"), "Gr%C3%BCn"))
    assert raw.status_code == 200
    assert raw.json() == escaped.json()


@pytest.mark.parametrize(
    "query",
    [
        "a=" + "b" * 100_000,
        "&".join(f"a{number}=1" for number in range(5_000)),
        "q=" + "a+" * 40_000,
        "q=" + "a" * 60_000,
        "&".join(f"id[]={number}" for number in range(20_000)),
        "fields=" + "name," * 20_000,
        "fields=" + "parent_category." * 5_000 + "id",
        "order=" + "-" * 60_000,
        "limit=" + "9" * 10_000,
        "offset=" + "9" * 10_000,
        "created_at[$gte]=" + "2" * 10_000,
        "id[" + "9" * 5_000 + "]=a",
        "$or" + "[0][$or]" * 5_000 + "[0][id]=a",
        "&".join(f"$or[{number}][q]=" + "a+" * 50 for number in range(50)),
        "&".join(f"$or[{number}][id]=a" for number in range(900)),
        "a" + "[" * 30_000,
    ],
    ids=lambda query: query[:20],
)
def test_a_huge_query_is_refused(query: str, store: Caller) -> None:
    status, message = refusal(store.get(CATEGORIES, query))
    assert status == 400
    assert len(message) < 120_000


class TestCors:
    SHOP = "http://localhost:3000"
    ALLOWED = (
        "authorization, content-type, x-publishable-api-key, idempotency-key, if-match, x-graphql-request, "
        "x-medusa-locale"
    )

    def preflight(self, path: str, method: str, origin: str = SHOP, headers: str = ALLOWED) -> HttpResponse:
        return NOBODY.send(
            "OPTIONS",
            path,
            Origin=origin,
            Access_Control_Request_Method=method,
            Access_Control_Request_Headers=headers,
        )

    @pytest.mark.parametrize(
        ("path", "method"), [(CATEGORIES, "GET"), ("/auth/session", "DELETE"), ("/graphql", "POST")]
    )
    def test_a_preflight_passes_every_check(self, path: str, method: str) -> None:
        response = self.preflight(path, method)
        assert response.status_code in (200, 204)
        assert response["Access-Control-Allow-Origin"] == self.SHOP
        assert response["Access-Control-Allow-Credentials"] == "true"
        assert method in response["Access-Control-Allow-Methods"].split(", ")
        assert set(self.ALLOWED.split(", ")) <= set(response["Access-Control-Allow-Headers"].split(", "))
        assert "origin" in response["Vary"].lower()

    def test_answers_and_refusals_may_be_read_by_our_own_pages(self, store: Caller) -> None:
        for response in (
            store.get(CATEGORIES, Origin=self.SHOP),
            NOBODY.get(CATEGORIES, Origin=self.SHOP),
            NOBODY.get("/store/nope", Origin=self.SHOP),
            NOBODY.send("POST", "/auth/token/refresh", b"{}", Origin=self.SHOP),
        ):
            assert response["Access-Control-Allow-Origin"] == self.SHOP
            assert {"ETag", "Idempotent-Replayed", "Retry-After", "X-Commit-Position", "X-Request-Id"} == set(
                response["Access-Control-Expose-Headers"].split(", ")
            )

    @pytest.mark.parametrize(
        "origin",
        ["http://evil.example", "null", "http://localhost.evil.example", "http://localhost:3000.evil.example", "x"],
    )
    def test_other_origins_get_no_leave(self, origin: str, store: Caller) -> None:
        for response in (self.preflight(CATEGORIES, "GET", origin), store.get(CATEGORIES, Origin=origin)):
            assert "Access-Control-Allow-Origin" not in response


class TestOrderOfChecks:
    """Route, JSON syntax, key, credentials, permission, throttle, body, query: the first that fails is reported.

    Under /admin, a body is read once the caller may write: its syntax is reported after the permission.
    """

    def test_of_a_store_route(self, store: Caller) -> None:
        assert refusal(NOBODY.send("POST", f"{CATEGORIES}/nope/nope", b"{"))[0] == 404
        assert refusal(NOBODY.send("POST", CATEGORIES, b"{"))[0] == 405
        assert refusal(NOBODY.get(CATEGORIES, "nope=%FF"))[1].startswith("Publishable API key required")
        assert refusal(NOBODY.get(f"{CATEGORIES}/nope"))[1].startswith("Publishable API key required")
        assert refusal(store.get(f"{CATEGORIES}/nope", "nope=1")) == (
            400,
            "Invalid request: Unrecognized fields: 'nope'",
        )
        assert refusal(store.get(f"{CATEGORIES}/nope", "fields=nope")) == (400, "Requested fields [nope] are not valid")
        assert refusal(store.get(f"{CATEGORIES}/nope"))[0] == 404

    def test_of_an_admin_route(self) -> None:
        stranger, staff = importer(secret_key()), importer(secret_key(UserFactory(is_superuser=True)))
        bad = {"body": {"nope": 1}, "query": "nope=1"}
        assert refusal(NOBODY.send("PUT", KEYS, b"{"))[0] == 405
        for body in (b"{", bad["body"]):
            assert reported(NOBODY.post(KEYS, body, query="nope=1")) == (401, "text/plain", b"Unauthorized")
            assert refusal(stranger.post(KEYS, body, query="nope=1"))[0] == 403
        assert refusal(staff.post(KEYS, b"{", query="nope=1"))[1].startswith("Malformed JSON")
        assert refusal(stranger.post(f"{KEYS}/nope", **bad))[0] == 403
        assert refusal(staff.post(f"{KEYS}/nope", **bad)) == (400, "Invalid request: Unrecognized fields: 'nope'")
        assert refusal(staff.post(f"{KEYS}/nope", {"title": "a"}, query="no=1")) == (
            400,
            "Invalid request: Unrecognized fields: 'no'",
        )
        assert refusal(staff.post(f"{KEYS}/nope", {"title": "a"}))[0] == 404


@pytest.mark.parametrize("length", ["abc", "-1", "1e3", " "])
def test_a_length_that_is_no_number_is_refused_or_ignored(length: str) -> None:
    response = NOBODY.send("POST", KEYS, b"{}", Content_Length=length)
    assert response.status_code in (400, 401)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1@evil.example", ""])
def test_a_host_that_is_not_ours_is_refused_on_api_paths(host: str, client: Client) -> None:
    answer = client.get("/store/product-categories", headers={"host": host})
    assert (answer.status_code, answer.json()["type"]) == (400, "invalid_data")
    assert client.get("/health/live", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(("method", "path"), [("POST", "/auth/user/emailpass"), ("GET", "/admin/api-keys")])
def test_answers_that_may_hold_secrets_are_kept_by_no_cache(method: str, path: str, client: Client) -> None:
    assert client.generic(method, path)["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/health/live", "/store/product-categories", "/store/nope", "/admin/api-keys", "/openapi.json"]
)
def test_answers_tell_their_length(path: str, client: Client) -> None:
    answer = client.get(path)
    assert answer["Content-Length"] == str(len(answer.content))
