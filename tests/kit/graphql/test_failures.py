"""What fails while an operation runs: reported by type and code, without internals; a lost race is run again."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError

from apikeys import issuance
from apikeys.models import ApiKey
from kit.reads.plans import bounds
from kit.reads.resources import Resource
from kit.safety.idempotency.models import Record
from tests.contract.callers import Caller
from tests.contract.shelves import stock
from tests.kit.graphql.calls import ask, data, failures

CREATE = 'mutation { createApiKey(input: {title: "A", type: "publishable"}) { apiKey { title } } }'
TWO = '{ broken: productCategory(id: "x") { id } whole: productCategories { count } }'
INTERNAL = "An internal error occurred; the X-Request-Id header names it"


def database_error(kind: type[Exception], sqlstate: str, text: str) -> Exception:
    error, cause = kind(text), Exception(text)
    cause.sqlstate = sqlstate  # type: ignore[attr-defined]
    error.__cause__ = cause
    return error


LOST_RACE = database_error(OperationalError, "40001", "could not serialize access")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("raised", "message", "extensions"),
    [
        (RuntimeError("secret detail"), INTERNAL, {"type": "database_error", "code": "api_error"}),
        (OperationalError("secret detail"), INTERNAL, {"type": "database_error", "code": "api_error"}),
        (
            database_error(IntegrityError, "23505", "Key (title)=(A) already exists."),
            "A row with this title already exists",
            {"type": "duplicate_error", "code": "invalid_request_error"},
        ),
        (
            database_error(OperationalError, "55P03", "canceling statement due to lock timeout"),
            "The request conflicted with another request. You may retry the request with the provided Idempotency-Key.",
            {"type": "QueryRunnerAlreadyReleasedError", "code": "unknown_error"},
        ),
    ],
)
def test_a_field_that_fails_leaves_the_others(
    *,
    raised: Exception,
    message: str,
    extensions: dict[str, str],
    store: Caller,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    stock()

    def fail(self: Resource, *_: Any) -> Any:
        raise raised

    monkeypatch.setattr(Resource, "one", fail)
    response = ask(store, TWO)
    assert failures(response) == [("broken", message, extensions)]
    assert response.json()["data"] == {"broken": None, "whole": {"count": 8}}
    assert b"secret detail" not in response.content
    assert ("secret detail" in caplog.text) == (message == INTERNAL)
    assert response["X-Request-Id"]


@pytest.mark.django_db
def test_too_many_related_rows_are_reported_in_their_field(store: Caller, settings: Any) -> None:
    stock()
    settings.MAX_RELATED_ROWS = 1
    response = ask(store, "{ productCategories { productCategories { categoryChildren { id } } } }")
    (failure,) = failures(response)
    assert "'categoryChildren' returns more than 1 related rows" in failure[1]


@pytest.mark.django_db
def test_all_fields_of_a_document_share_what_related_rows_are_allowed(store: Caller, settings: Any) -> None:
    stock()
    page = "productCategories { productCategories { categoryChildren { id } } }"
    settings.MAX_RELATED_ROWS = 12  # a page brings six
    assert list(data(ask(store, f"{{ a: {page} b: {page} }}"))) == ["a", "b"]
    settings.MAX_RELATED_ROWS = 11
    assert [failure[0] for failure in failures(ask(store, f"{{ a: {page} b: {page} }}"))] == ["b"]


ROWS = "productCategories(limit: 3) { productCategories { %s } }"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("allowed", "document", "refused"),
    [
        (6, f"a: {ROWS % 'id'} b: {ROWS % 'id'}", []),
        (5, f"a: {ROWS % 'id'} b: {ROWS % 'id'}", ["b"]),
        (5, f"a: {ROWS % 'id'} b: productCategories {{ count }} c: {ROWS % 'id'} ", ["c"]),
        (5, "a: productCategories(limit: 3) { x: productCategories { id } y: productCategories { id } }", ["a"]),
        (6, f"a: {ROWS % 'x: name y: name z: id'}", []),
        (5, f"a: {ROWS % 'x: name y: name z: id'}", ["a"]),
        (5, f"a: {ROWS % 'x: __typename y: __typename'} b: productCategories(limit: 5) {{ count }}", ["a"]),
    ],
)
def test_all_fields_of_a_document_share_what_rows_are_allowed(
    allowed: int, document: str, refused: list[str], store: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock()
    monkeypatch.setattr(bounds, "MAX_ROWS", allowed)
    response = ask(store, f"{{ {document} }}")
    if not refused:
        assert data(response)
        return
    reported = f"The document requests more than {allowed} rows; use smaller pages or fewer aliases"
    assert failures(response) == [(field, reported, {"type": "invalid_data"}) for field in refused]


@pytest.mark.django_db
def test_related_rows_count_as_often_as_one_of_their_fields_is_repeated(store: Caller, settings: Any) -> None:
    stock()
    page = "{ productCategories { productCategories { categoryChildren { %s } } } }"
    settings.MAX_RELATED_ROWS = 12  # a page brings six
    assert data(ask(store, page % "x: name y: name id"))
    settings.MAX_RELATED_ROWS = 11
    assert data(ask(store, page % "name handle id"))
    (failure,) = failures(ask(store, page % "x: name y: name id"))
    assert "more than 11 related rows" in failure[1]


def losing_once(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the first attempt to issue a key do its work and lose the race; gives the attempts as they are made."""
    attempts: list[str] = []
    issue: Callable[..., Any] = issuance.issue

    def lose(**values: Any) -> Any:
        issued = issue(**values)
        attempts.append(issued.key.pk)
        if len(attempts) == 1:
            raise LOST_RACE
        return issued

    monkeypatch.setattr(issuance, "issue", lose)
    return attempts


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("headers", [{}, {"Idempotency_Key": "once"}], ids=["without a key", "with a key"])
def test_a_lost_race_is_run_again_and_leaves_nothing_of_the_first_try(
    headers: dict[str, str], admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = losing_once(monkeypatch)
    assert data(ask(admin, CREATE, **headers)) == {"createApiKey": {"apiKey": {"title": "A"}}}
    assert len(attempts) == 2
    assert [key.pk for key in ApiKey.objects.filter(title="A")] == attempts[1:]
    assert Record.objects.count() == len(headers)
