"""What a mutation does before its transaction: outside, with a key and without, and once."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory

from kit.errors import NotAllowed
from kit.graphql.fields.mutations import Change, Written
from kit.graphql.fields.reads import ListField
from kit.graphql.schemas import join
from kit.graphql.view import GraphQL
from kit.rest.requests.input_fields import CharField
from kit.rest.requests.inputs import Input
from kit.safety.idempotency.models import Record
from shop.api.resources import CURRENCIES
from tests.factories.apikeys import publishable_key
from tests.kit.graphql.calls import data, failures

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "a-key-of-twenty-signs"
Call = tuple[str, bool]
CALLS: list[Call] = []
MARKS: list[str | None] = []
REFUSALS: list[Exception] = []


class OrderInput(Input):
    kind = CharField()


def ask_first(*, actor: Any, code: str, kind: str, idempotency_digest: str | None) -> Mapping[str, Any]:
    CALLS.append((f"ask {kind}", connection.in_atomic_block))
    MARKS.append(idempotency_digest)
    if REFUSALS:
        raise REFUSALS.pop()
    return {"reported": kind.upper()}


def order(*, actor: Any, code: str, kind: str, reported: str) -> Written:
    CALLS.append((f"order {kind} {reported}", connection.in_atomic_block))
    return Written(code)


SCHEMA = join(
    queries={"currencies": ListField(CURRENCIES, "All.")},
    mutations={"order": Change(CURRENCIES, "Order.", act=order, input=OrderInput, before_transaction=ask_first)},
)
ORDER = """mutation ($kind: String!, $not: Boolean = false) {
  __typename again: __typename @skip(if: $not)
  mine: order(code: "usd", input: {kind: $kind}) { currency { code } } }"""
DONE = {"__typename": "Mutation", "again": "Mutation", "mine": {"currency": {"code": "usd"}}}
ASKED, ORDERED = ("ask tea", False), ("order tea TEA", True)


@pytest.fixture(autouse=True)
def _forgotten() -> None:
    for kept in (CALLS, MARKS, REFUSALS):
        kept.clear()


@pytest.fixture
def token(transactional_db: None) -> str:
    return publishable_key().token


def send(token: str, query: str = ORDER, *, key: str | None = None, kind: Any = "tea") -> HttpResponse:
    headers = {"x-publishable-api-key": token, **({} if key is None else {"Idempotency-Key": key})}
    body = orjson.dumps({"query": query, "variables": {"kind": kind}})
    request = RequestFactory().post("/graphql", body, content_type="application/json", headers=headers)
    response: HttpResponse = GraphQL.as_view({"post": "execute"}, graph=SCHEMA)(request)
    response.json = lambda: orjson.loads(response.content)  # type: ignore[attr-defined]
    return response


def test_without_a_key_each_field_does_its_own_outside_its_transaction(token: str) -> None:
    two = """mutation ($kind: String!) { a: order(code: "usd", input: {kind: $kind}) { currency { code } }
      b: order(code: "eur", input: {kind: "milk"}) { currency { code } } }"""
    assert data(send(token, two)) == {"a": {"currency": {"code": "usd"}}, "b": {"currency": {"code": "eur"}}}
    assert CALLS == [ASKED, ORDERED, ("ask milk", False), ("order milk MILK", True)]
    assert MARKS == [None, None]


def test_with_a_key_it_is_done_outside_the_transaction_of_the_key_and_once(token: str) -> None:
    assert data(send(token, key=KEY)) == DONE
    again = send(token, key=KEY)
    assert (data(again), again["Idempotent-Replayed"]) == (DONE, "true")
    assert CALLS == [ASKED, ORDERED]
    (mark,) = MARKS
    assert mark is not None
    assert len(mark) == 64


def test_another_request_with_the_key_asks_nobody(token: str) -> None:
    send(token, key=KEY)
    assert send(token, key=KEY, kind="milk").status_code == 422
    assert CALLS == [ASKED, ORDERED]


@pytest.mark.parametrize("key", [None, KEY])
def test_its_refusal_is_reported_where_the_field_stands(token: str, key: str | None) -> None:
    REFUSALS.append(NotAllowed("Closed"))
    first = send(token, key=key)
    assert failures(first) == [("mine", "Closed", {"type": "not_allowed"})]
    again = send(token, key=key)
    if key is None:
        assert data(again) == DONE
        assert CALLS == [ASKED, ASKED, ORDERED]
    else:
        assert (failures(again), again["Idempotent-Replayed"]) == (failures(first), "true")
        assert CALLS == [ASKED]


def test_a_failure_nobody_foresaw_is_reported_alike_and_not_kept(token: str) -> None:
    for key in (None, KEY):
        REFUSALS.append(ZeroDivisionError())
        ((place, _, reported),) = failures(send(token, key=key))
        assert (place, reported["type"]) == ("mine", "database_error")
    assert not Record.objects.exists()
    assert data(send(token, key=KEY)) == DONE
    assert MARKS[1] == MARKS[2] is not None


@pytest.mark.parametrize("key", [None, KEY])
@pytest.mark.parametrize("kind", ["x" * 256, 1, None])
def test_of_a_request_that_is_refused_anyway_nobody_is_asked(token: str, key: str | None, kind: Any) -> None:
    assert b"errors" in send(token, key=key, kind=kind).content
    assert CALLS == []


@pytest.mark.parametrize("key", [None, KEY])
def test_arguments_that_turn_out_not_to_fit_ask_nobody(token: str, key: str | None) -> None:
    document = 'mutation ($kind: String = "a") { order(code: "usd", input: {kind: $kind}) { currency { code } } }'
    ((place, message, _),) = failures(send(token, document, key=key, kind=None))
    assert (place, message[:21]) == ("order", "Argument 'input' has ")
    assert CALLS == []


def test_a_key_on_a_document_that_changes_nothing_does_not_matter(token: str) -> None:
    assert data(send(token, "mutation { __typename }", key=KEY)) == {"__typename": "Mutation"}
    left_out = 'mutation { __typename order(code: "usd", input: {kind: "a"}) @skip(if: true) { __typename } }'
    assert data(send(token, left_out, key=KEY[::-1])) == {"__typename": "Mutation"}
    assert CALLS == []
