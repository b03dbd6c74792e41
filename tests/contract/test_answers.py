"""The bodies of answers and their order: the interface's seven, and what HTTP adds, raised by routes of this test."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.urls import path

from apikeys.models import ApiKey
from kit import errors
from kit.database.raw_sql import fetch
from kit.rest.endpoint import Endpoint
from kit.rest.requests.input_fields import BooleanField, CharField, ChoiceField, DictField, IntegerField, ListField
from kit.rest.requests.inputs import Input
from kit.rest.responses.errors import AuthenticationRequired
from shop.models import SalesChannel
from tests.contract.callers import Caller, refusal, reported

pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]
NOBODY = Caller()


class WishInput(Input):
    title = CharField(allow_blank=False)
    note = CharField(required=False, allow_null=True, max_length=5)
    urgent = BooleanField(required=False)
    amount = IntegerField(required=False, min_value=1, max_value=9)
    kind = ChoiceField(required=False, choices=["big", "small"])
    tags = ListField(required=False, max_length=3)
    metadata = DictField(required=False, allow_null=True)


RAISED: dict[str, Callable[[], Any]] = {}


class Wishes(Endpoint):
    inputs = {"create": WishInput}

    def list(self, request: Any) -> dict[str, Any]:
        return RAISED["now"]()

    def create(self, request: Any) -> dict[str, Any]:
        return {"wish": self.body()}

    def change(self, request: Any) -> dict[str, Any]:
        return RAISED["now"]()


urlpatterns = [path("store/wishes", Wishes.as_view({"get": "list", "post": "create", "delete": "change"}))]


def raising(error: Exception) -> Callable[[], Any]:
    def handler() -> Any:
        raise error

    return handler


SEVEN = [
    (errors.InvalidData("x"), 400, {"type": "invalid_data", "message": "x"}),
    (errors.NotAllowed("x"), 400, {"type": "not_allowed", "message": "x"}),
    (errors.Unauthorized("x"), 401, {"type": "unauthorized", "message": "x"}),
    (errors.Forbidden("x"), 403, {"type": "not_allowed", "message": "x"}),
    (errors.NotFound("x"), 404, {"type": "not_found", "message": "x"}),
    (errors.Duplicate("x"), 422, {"code": "invalid_request_error", "type": "duplicate_error", "message": "x"}),
    (errors.TooManyRequests("x", retry_after=7), 429, {"type": "not_allowed", "message": "x"}),
    (
        errors.Conflict(),
        409,
        {
            "code": "unknown_error",
            "type": "QueryRunnerAlreadyReleasedError",
            "message": "The request conflicted with another request. "
            "You may retry the request with the provided Idempotency-Key.",
        },
    ),
    (
        RuntimeError("the secret cause"),
        500,
        {
            "code": "api_error",
            "type": "database_error",
            "message": "An internal error occurred; the X-Request-Id header names it",
        },
    ),
]


@pytest.mark.parametrize(("error", "status", "body"), SEVEN, ids=lambda case: type(case).__name__)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_refusal_is_reported_by_its_status_and_body(
    method: str, error: Exception, status: int, body: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RAISED, "now", raising(error))
    response = NOBODY.send(method, "/store/wishes")
    assert (response.status_code, response["Content-Type"]) == (status, "application/json")
    assert list(response.json().items()) == list(body.items())
    assert response.get("Retry-After") == ("7" if status == 429 else None)


def test_no_credentials_are_reported_in_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RAISED, "now", raising(AuthenticationRequired()))
    response = NOBODY.get("/store/wishes")
    assert reported(response) == (401, "text/plain", b"Unauthorized")
    assert response.reason_phrase == "Unauthorized"


def test_the_cause_of_a_failure_is_logged_under_the_answers_id_and_shown_to_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(RAISED, "now", raising(RuntimeError("the secret cause")))
    with caplog.at_level(logging.ERROR):
        response = NOBODY.get("/store/wishes")
    assert b"secret" not in response.content
    (record,) = [record for record in caplog.records if record.name == "kit.rest.responses.errors"]
    assert "the secret cause" in str(record.exc_info)
    assert response["X-Request-Id"]


def taken_name() -> dict[str, Any]:
    with transaction.atomic():
        SalesChannel.objects.create(name="Default Sales Channel")
    return {}


def taken_digest() -> dict[str, Any]:
    with transaction.atomic():
        for _ in range(2):
            ApiKey.objects.create(type="publishable", title="a", digest="secret digest", redacted="a")
    return {}


@pytest.mark.parametrize(("work", "column"), [(taken_name, "name"), (taken_digest, "digest")])
def test_a_unique_value_that_is_taken_is_a_duplicate_though_no_verb_foresaw_it(
    work: Callable[[], Any], column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RAISED, "now", work)
    response = NOBODY.send("DELETE", "/store/wishes")
    assert (response.status_code, response.json()) == (
        422,
        {
            "code": "invalid_request_error",
            "type": "duplicate_error",
            "message": f"A row with this {column} already exists",
        },
    )


def test_another_broken_rule_of_the_database_is_a_failure_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RAISED, "now", raising(IntegrityError("CHECK constraint failed: catalog_secret")))
    response = NOBODY.get("/store/wishes")
    assert response.status_code == 500
    assert b"catalog_secret" not in response.content


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("state", "status"),
    [("40001", 409), ("40P01", 409), ("55P03", 409), ("57014", 503), ("53300", 503), ("53100", 503), ("XX000", 500)],
)
def test_a_lost_race_is_a_conflict_and_other_trouble_a_failure(
    state: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose() -> Any:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"DO $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '{state}'; END $$")

    monkeypatch.setitem(RAISED, "now", lose)
    for method in ("GET", "DELETE"):
        response = NOBODY.send(method, "/store/wishes")
        assert response.status_code == status
        assert b"secret" not in response.content


@pytest.mark.postgresql
def test_a_statement_that_takes_too_long_is_canceled_prepared_or_not(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def sleep() -> Any:
        with transaction.atomic():
            fetch("SELECT pg_sleep(%s)", [5])

    monkeypatch.setitem(RAISED, "now", sleep)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 50")
    for _ in range(4):
        message = "The database took too long to answer; ask for less, or try again later"
        assert refusal(NOBODY.get("/store/wishes")) == (503, message)
    assert caplog.text.count("a statement took too long and was canceled") == 4
    assert "canceling statement due to statement timeout" in caplog.text


def test_a_busy_sqlite_is_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = OperationalError("database is locked")
    busy.__cause__ = type("Busy", (Exception,), {"sqlite_errorname": "SQLITE_BUSY"})()
    monkeypatch.setitem(RAISED, "now", raising(busy))
    assert NOBODY.get("/store/wishes").status_code == 409


WHOLE = {
    "title": "t",
    "note": None,
    "urgent": True,
    "amount": 9,
    "kind": "big",
    "tags": ["a"],
    "metadata": {"a": [None]},
}


@pytest.mark.parametrize(
    "body", [WHOLE, {"title": " t "}, {"title": "t", "note": ""}, {"title": "t", "metadata": None}]
)
def test_a_body_is_taken_as_it_was_sent(body: dict[str, Any]) -> None:
    response = NOBODY.post("/store/wishes", body)
    assert (response.status_code, response.json()) == (200, {"wish": body})


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "Field 'title' is required"),
    ({"kind": "big"}, "Field 'title' is required"),
    ({"title": None}, "Expected type: 'string' for field 'title', got: 'null'"),
    ({"title": 5}, "Expected type: 'string' for field 'title', got: '5'"),
    ({"title": True}, "Expected type: 'string' for field 'title', got: 'true'"),
    ({"title": {"a": 1}}, "Expected type: 'string' for field 'title', got: '[object Object]'"),
    ({"title": ["a", "b"]}, "Expected type: 'string' for field 'title', got: 'a,b'"),
    ({"title": ""}, "Value for field 'title' must not be empty"),
    ({"title": " \t"}, "Value for field 'title' must not be empty"),
    ({"title": "x" * 256}, "Value for field 'title' too big, expected at most: '255' characters"),
    ({"note": "x" * 6}, "Value for field 'note' too big, expected at most: '5' characters"),
    ({"urgent": "true"}, "Expected type: 'boolean' for field 'urgent', got: 'true'"),
    ({"urgent": 1}, "Expected type: 'boolean' for field 'urgent', got: '1'"),
    ({"urgent": None}, "Expected type: 'boolean' for field 'urgent', got: 'null'"),
    ({"amount": "5"}, "Expected type: 'number' for field 'amount', got: '5'"),
    ({"amount": 5.5}, "Expected type: 'number' for field 'amount', got: '5.5'"),
    ({"amount": True}, "Expected type: 'number' for field 'amount', got: 'true'"),
    ({"amount": 0}, "Value for field 'amount' too small, expected at least: '1'"),
    ({"amount": 10}, "Value for field 'amount' too big, expected at most: '9'"),
    ({"kind": "huge"}, "Expected: 'big, small' for field 'kind', but got: 'huge'"),
    ({"kind": 5}, "Expected type: 'string' for field 'kind', got: '5'"),
    ({"kind": None}, "Expected type: 'string' for field 'kind', got: 'null'"),
    ({"kind": ["big"]}, "Expected type: 'string' for field 'kind', got: 'big'"),
    ({"tags": "a"}, "Expected type: 'array' for field 'tags', got: 'a'"),
    ({"tags": [1]}, "Expected type: 'string' for field 'tags', got: '1'"),
    ({"tags": ["a"] * 4}, "Value for field 'tags' too big, expected at most: '3' items"),
    ({"metadata": []}, "Expected type: 'object' for field 'metadata', got: ''"),
    ({"foo": 1, "bar": 2}, "Unrecognized fields: 'foo, bar'"),
    ({f"k{number}": 1 for number in range(5000)}, "Unrecognized fields: 'k0, k1, k2, k3, k4, k5, k6, k7, k8, k9'"),
    ({"title ": "t"}, "Unrecognized fields: 'title '"),
]


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=lambda case: str(case)[:50])
def test_a_body_that_does_not_fit_is_refused_by_field(body: dict[str, Any], message: str) -> None:
    sent = (
        body
        if {"title", "foo", "title "} & body.keys() or not body or body == {"kind": "big"}
        else {"title": "t", **body}
    )
    assert refusal(NOBODY.post("/store/wishes", sent)) == (400, f"Invalid request: {message}")


def test_several_problems_are_reported_together() -> None:
    message = refusal(NOBODY.post("/store/wishes", {"urgent": 1, "amount": 0}))[1]
    assert message == (
        "Invalid request: Field 'title' is required; Expected type: 'boolean' for field 'urgent', got: '1'; "
        "Value for field 'amount' too small, expected at least: '1'"
    )


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    assert NOBODY.post("/store/wishes", b'{"title":"a","title":"b"}').json() == {"wish": {"title": "b"}}


@pytest.mark.parametrize("error", [errors.TooManyRequests("x", retry_after=7), AuthenticationRequired()])
def test_a_refusal_is_reported_alike_with_an_idempotency_key(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wishes, "create", lambda self, request: raising(error)())
    plain, keyed = (
        NOBODY.post("/store/wishes", {"title": "t"}, **headers) for headers in ({}, {"Idempotency_Key": "k" * 20})
    )
    assert reported(keyed) == reported(plain)
    assert keyed.get("Retry-After") == plain.get("Retry-After")
