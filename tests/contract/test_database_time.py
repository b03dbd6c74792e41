"""How much database time a request may take: over REST and in GraphQL, for strangers and staff."""

import inspect
from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from django.db import connection
from django.urls import include, path
from pytest_django import Settings

from kit.reads.resources import Resource
from kit.rest.endpoint import Endpoint
from kit.safety.idempotency.models import Record
from tests.contract.callers import NOBODY, Caller, importer, refusal
from tests.factories.apikeys import secret_key
from tests.factories.catalog import CategoryFactory
from tests.factories.customers import CustomerFactory, token_of
from tests.factories.staff import PASSWORD, UserFactory
from tests.kit.database.busy_database import work
from tests.kit.graphql.calls import ask

BUDGET = 0.05
OVER = (503, "The request needs more of the database's time than it may take; ask for less")


class Sums(Endpoint):
    """Works as much as `amounts` says."""

    accepts = frozenset({"user", "customer"})
    amounts: ClassVar[list[float]] = []

    def list(self, request: Any) -> dict[str, Any]:
        for amount in self.amounts:
            work(amount)
        return {"sums": len(self.amounts)}

    def create(self, request: Any) -> dict[str, Any]:
        return self.list(request)


urlpatterns = [path("store/sums", Sums.as_view({"get": "list", "post": "create"})), path("", include("commerce.urls"))]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.urls(__name__)]


@pytest.fixture(autouse=True)
def budget(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REQUEST_DATABASE_TIME = BUDGET
    monkeypatch.setattr(Sums, "amounts", [100])


def line_of(function: Callable[..., Any], word: str) -> int:
    """Where the word stands in the function: the first time on PostgreSQL, the last on SQLite."""
    lines, first = inspect.getsourcelines(function)
    found = [first + number for number, line in enumerate(lines) if f"return {word}" in line]
    return found[0] if connection.vendor == "postgresql" else found[-1]


def staff_token() -> str:
    login = {"email": UserFactory().email, "password": PASSWORD}
    token: str = NOBODY.post("/auth/user/emailpass", login).json()["token"]
    return token


def test_a_stranger_who_needs_more_is_answered_503_and_the_next_request_is_served(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = NOBODY.get("/store/sums")
    assert (refusal(answer), answer.json()["type"], answer["Retry-After"]) == (OVER, "unavailable", "2")
    (line,) = (record for record in caplog.records if record.name == "kit.rest.responses.errors")
    assert (line.levelname, line.exc_info) == ("WARNING", None)
    where = f"tests/kit/database/busy_database.py:{line_of(work, 'fetch')}"
    assert line.getMessage() == f"the database took longer than one request may keep it, at {where}"
    monkeypatch.setattr(Sums, "amounts", [0.001])
    assert NOBODY.get("/store/sums").json() == {"sums": 1}


def test_so_is_a_customer() -> None:
    customer = Caller(Authorization=f"Bearer {token_of(CustomerFactory())}")
    assert refusal(customer.get("/store/sums")) == OVER


def test_staff_and_secret_keys_take_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sums, "amounts", [1])
    for caller in (importer(secret_key(UserFactory())), Caller(Authorization=f"Bearer {staff_token()}")):
        assert caller.get("/store/sums").json() == {"sums": 1}
    assert refusal(NOBODY.get("/store/sums")) == OVER


def test_all_statements_of_a_request_are_one_budget(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REQUEST_DATABASE_TIME = 0.4
    monkeypatch.setattr(Sums, "amounts", [0.5] * 1000)
    assert refusal(NOBODY.get("/store/sums")) == OVER


def test_no_idempotency_key_keeps_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"Idempotency-Key": "k" * 20}
    answer = NOBODY.post("/store/sums", {}, **key)
    assert (refusal(answer), answer["Retry-After"]) == (OVER, "2")
    assert not Record.objects.exists()
    monkeypatch.setattr(Sums, "amounts", [0.001])
    answer = NOBODY.post("/store/sums", {}, **key)
    assert (answer.json(), "Idempotent-Replayed" in answer) == ({"sums": 1}, False)


def test_a_graphql_document_has_one_too_and_what_is_over_stands_in_its_fields(
    store: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    category = CategoryFactory(name="Tea")
    read = Resource.one

    def slow(self: Resource, id: str, *rest: Any) -> Any:
        if id == "slow":
            work(100)
        return read(self, id, *rest)

    monkeypatch.setattr(Resource, "one", slow)
    document = f"""{{
      quick: productCategory(id: "{category.pk}") {{ name }}
      slow: productCategory(id: "slow") {{ name }}
      next: productCategory(id: "slow") {{ name }}
    }}"""
    answer = ask(store, document)
    assert answer.status_code == 200
    assert answer.json()["data"] == {"quick": {"name": "Tea"}, "slow": None, "next": None}
    reported = [(each["path"], each["message"], each["extensions"]) for each in answer.json()["errors"]]
    extensions = {"type": "unavailable", "retryAfter": 2}
    assert reported == [(["slow"], OVER[1], extensions), (["next"], OVER[1], extensions)]
