"""What every route that takes a body does with a bad one, before it looks at anything else."""

import pytest

from kit.rest.endpoint import Endpoint
from kit.rest.viewsets import AdminEndpoint
from tests.conftest import MakeOnce
from tests.contract.callers import NOBODY, Caller, refusal
from tests.contract.routes import FILES, RAW, ROUTES, GoodRequest, Route, good_request, of, send

pytestmark = [pytest.mark.every(6), pytest.mark.once, pytest.mark.django_db]
Known = dict[tuple[str, str], GoodRequest]


@pytest.fixture(scope="module")
def known(make_once: MakeOnce) -> Known:
    """One for each route and method. All are refused here, so that one serves all tests."""

    def requests() -> Known:
        routes = (param.values for param in of(Endpoint, writes=True))
        return {(route.path, method): good_request(route, method) for route, method in routes}

    made: Known = make_once(requests)
    return made


@pytest.fixture
def good(known: Known, route: Route, method: str) -> GoodRequest:
    """A request to the test's route."""
    return known[route.path, method]


@pytest.fixture
def first(route: Route, entitled: Caller) -> Caller:
    """Nobody, where a body's syntax comes first; under /admin, somebody who may send it."""
    return NOBODY if route.endpoint.reads_body_first else entitled


@pytest.mark.parametrize(("route", "method"), of(AdminEndpoint, writes=True, but=FILES))
def test_nobody_s_body_is_not_read(good: GoodRequest) -> None:
    assert good.send(NOBODY, body=b"{").status_code == 401


@pytest.mark.parametrize(("route", "method"), of(Endpoint, writes=True, but=FILES | RAW))
class TestBodiesBeforeAnythingElse:
    def test_malformed_json(self, good: GoodRequest, first: Caller) -> None:
        status, message = refusal(good.send(first, body=b"{"))
        assert (status, message[:16]) == (400, "Malformed JSON: ")

    @pytest.mark.parametrize("body", [b"[]", b'"a"', b"null", b"5", b"true"])
    def test_json_that_is_no_object(self, good: GoodRequest, first: Caller, body: bytes) -> None:
        assert refusal(good.send(first, body=body)) == (
            400,
            "Invalid request: Expected type: 'object' for the body",
        )

    @pytest.mark.parametrize(
        "content_type",
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
         "application/vnd.api+json", "", "application/json; charset=latin-1"],
    )  # fmt: skip
    def test_another_content_type(self, good: GoodRequest, first: Caller, content_type: str) -> None:
        response = good.send(first, body=b"{}", content_type=content_type)
        assert refusal(response) == (415, "The Content-Type of the body must be application/json")

    def test_more_than_a_mebibyte(self, good: GoodRequest, first: Caller) -> None:
        response = good.send(first, body=b'{"a":"' + b"x" * 1024 * 1024 + b'"}')
        assert refusal(response) == (413, "The request body is larger than 1048576 bytes")

    def test_a_nul_character(self, good: GoodRequest, first: Caller) -> None:
        assert refusal(good.send(first, body=b'{"a":{"b":["\\u0000"]}}')) == (
            400,
            "Invalid request: NUL character in field 'a.b[0]'",
        )

    def test_nesting(self, good: GoodRequest, first: Caller) -> None:
        for depth in (32, 600, 1020, 40_000):
            for body in (b"[" * depth + b'"\\u0000"' + b"]" * depth, b"[" * depth + b"]" * depth):
                response = good.send(first, body=b'{"title":' + body + b"}")
                assert refusal(response) == (400, "The request body is nested deeper than 32 levels")

    def test_many_values(self, good: GoodRequest, first: Caller) -> None:
        for item in (b"1", b"[[1]]", b"{}", b'{"a":""}'):
            response = good.send(first, body=b'{"title":[' + b",".join([item] * 100_000) + b"]}")
            assert refusal(response) == (400, "The request body has more than 100000 values")


@pytest.mark.parametrize(("route", "method"), of(Endpoint, writes=True, but=RAW | FILES))
def test_a_body_is_refused_before_a_query(good: GoodRequest, entitled: Caller) -> None:
    response = good.send(entitled, body={"foo": 1, "bar": 2}, query="baz=3")
    assert refusal(response) == (400, "Invalid request: Unrecognized fields: 'foo, bar'")
    assert refusal(good.send(entitled, query="baz=3")) == (400, "Invalid request: Unrecognized fields: 'baz'")


def test_the_raw_routes() -> None:
    assert {"/hooks/payments/<str:provider_id>", "/hooks/fulfillment/<str:provider_id>"} == RAW


@pytest.mark.parametrize("path", sorted(RAW))
class TestRawBodies:
    def test_a_query_is_refused_before_the_provider_reads_the_body(self, path: str) -> None:
        for body in ({}, {"foo": 1, "bar": 2}):
            assert refusal(send(NOBODY, _route(path), "POST", body=body, query="baz=3")) == (
                400,
                "Invalid request: Unrecognized fields: 'baz'",
            )

    @pytest.mark.parametrize(
        "body", [b"", b"{}", b"[]", b"{", b"a=1", b"\x00\xff", b'{"a": "\\u0000"}', b"[" * 100_000]
    )
    @pytest.mark.parametrize(
        "content_type", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    )
    def test_the_provider_judges_any_body(self, path: str, body: bytes, content_type: str) -> None:
        response = send(NOBODY, _route(path), "POST", body=body, content_type=content_type)
        assert refusal(response) == (400, "The event's signature is invalid")

    def test_more_than_a_mebibyte(self, path: str) -> None:
        response = send(NOBODY, _route(path), "POST", body=b"x" * (1024 * 1024 + 1), content_type="text/plain")
        assert refusal(response) == (413, "The request body is larger than 1048576 bytes")


def _route(path: str) -> Route:
    return next(route for route in ROUTES if route.path == path)
