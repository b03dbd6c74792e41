"""What an action does before its transaction: once, outside, and with nothing lost of what its refusals are."""

from typing import Any

import orjson
import pytest
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.test import RequestFactory
from rest_framework.request import Request

from kit.errors import Conflict, DomainError, Duplicate, InvalidData, NotAllowed, NotFound
from kit.rest import idempotency
from kit.rest.endpoint import Endpoint
from kit.rest.preparation import before_transaction
from kit.rest.requests.input_fields import CharField
from kit.rest.requests.inputs import Input
from kit.safety.idempotency.models import Record
from shop.models import SalesChannel

pytestmark = pytest.mark.django_db(transaction=True)

KEY, OTHER = "a-key-of-twenty-signs", "a-key-of-twenty-others"
Call = tuple[str, bool]


class OrderInput(Input):
    kind = CharField()


class Orders(Endpoint):
    """Asks somebody else first, then makes a sales channel."""

    inputs = {"order": OrderInput}

    calls: list[Call] = []
    marks: list[str | None] = []
    asking_fails: Exception | None = None
    order_fails: list[Exception] = []

    def ask(self, request: Request, id: str) -> int:
        self.calls.append((f"ask {id} {self.body()['kind']}", connection.in_atomic_block))
        self.marks.append(self.idempotency_digest)
        if self.asking_fails is not None:
            raise self.asking_fails
        return len(self.calls)

    @before_transaction(ask)
    def order(self, request: Request, reported: int, id: str) -> dict[str, Any]:
        self.calls.append((f"order {id} {self.body()['kind']}", connection.in_atomic_block))
        with transaction.atomic():
            SalesChannel.objects.create(name=f"Ordered {made()}")
            if self.order_fails:
                raise self.order_fails.pop(0)
        return {"reported": reported}


ASKED, ORDERED, ORDERED_AT_ONCE = ("ask a tea", False), ("order a tea", True), ("order a tea", False)


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("calls", "marks", "order_fails"):
        monkeypatch.setattr(Orders, name, [])


def send(*, key: str | None = KEY, kind: Any = "tea", query: str = "") -> HttpResponse:
    headers = {} if key is None else {"Idempotency-Key": key}
    body = orjson.dumps({"kind": kind})
    request = RequestFactory().post(f"/orders{query}", body, content_type="application/json", headers=headers)
    response: HttpResponse = Orders.as_view({"post": "order"})(request, id="a")
    return response


def reported(response: HttpResponse) -> tuple[int, Any]:
    return response.status_code, orjson.loads(response.content)


def made() -> int:
    return SalesChannel.objects.filter(name__startswith="Ordered").count()


class TestWithoutAKey:
    def test_it_is_done_outside_the_transaction_and_handed_over(self) -> None:
        assert reported(send(key=None)) == (200, {"reported": 1})
        assert Orders.calls == [ASKED, ORDERED_AT_ONCE]
        assert Orders.marks == [None]

    def test_what_refuses_it_refuses_the_request(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Orders, "asking_fails", NotAllowed("Closed"))
        assert reported(send(key=None)) == (400, {"type": "not_allowed", "message": "Closed"})
        assert (Orders.calls, made()) == ([ASKED], 0)

    @pytest.mark.parametrize("wrong", [{"kind": 1}, {"query": "?nope=1"}])
    def test_of_a_request_that_is_refused_anyway_nobody_is_asked(self, wrong: dict[str, Any]) -> None:
        assert reported(send(key=None, **wrong))[0] == 400
        assert Orders.calls == []

    def test_a_transaction_that_lost_a_race_is_tried_again_and_nobody_asked_again(self) -> None:
        Orders.order_fails.append(lost_race())
        assert reported(send(key=None)) == (200, {"reported": 1})
        assert (Orders.calls, made()) == ([ASKED, ORDERED_AT_ONCE, ORDERED_AT_ONCE], 1)


class TestWithAKey:
    def test_it_is_done_outside_the_transaction_of_the_key_and_once(self) -> None:
        assert reported(send()) == (200, {"reported": 1})
        again = send()
        assert (reported(again), again["Idempotent-Replayed"]) == ((200, {"reported": 1}), "true")
        assert (Orders.calls, made()) == ([ASKED, ORDERED], 1)

    def test_another_request_with_the_key_asks_nobody(self) -> None:
        send()
        assert reported(send(kind="coffee"))[0] == 422
        assert Orders.calls == [ASKED, ORDERED]

    @pytest.mark.parametrize(
        ("refusal", "status"), [(InvalidData("No"), 400), (NotFound("No"), 404), (Duplicate("No"), 422)], ids=str
    )
    def test_its_refusal_is_kept_and_replayed(
        self, monkeypatch: pytest.MonkeyPatch, refusal: DomainError, status: int
    ) -> None:
        monkeypatch.setattr(Orders, "asking_fails", refusal)
        first = send()
        monkeypatch.setattr(Orders, "asking_fails", None)
        again = send()
        assert (reported(again), again["Idempotent-Replayed"]) == (reported(first), "true")
        assert (first.status_code, orjson.loads(first.content)["message"]) == (status, "No")
        assert (Orders.calls, made()) == ([ASKED], 0)

    @pytest.mark.parametrize(("failure", "status"), [(Conflict(), 409), (ZeroDivisionError(), 500)], ids=str)
    def test_after_a_failure_that_is_not_kept_it_is_done_again_under_the_same_mark(
        self, monkeypatch: pytest.MonkeyPatch, failure: Exception, status: int
    ) -> None:
        monkeypatch.setattr(Orders, "asking_fails", failure)
        assert send().status_code == status
        monkeypatch.setattr(Orders, "asking_fails", None)
        assert reported(send()) == (200, {"reported": 2})
        assert send(key=OTHER).status_code == 200
        first, second, other = Orders.marks
        assert first == second != other
        assert isinstance(first, str)
        assert len(first) == 64
        assert KEY not in first

    @pytest.mark.parametrize("wrong", [{"kind": 1}, {"query": "?nope=1"}])
    def test_a_bad_request_is_refused_by_the_handler_and_kept(self, wrong: dict[str, Any]) -> None:
        assert send(**wrong).status_code == 400
        assert send(**wrong)["Idempotent-Replayed"] == "true"
        assert Orders.calls == []

    def test_a_malformed_key_asks_nobody(self) -> None:
        assert send(key="short").status_code == 400
        assert Orders.calls == []

    def test_a_transaction_that_lost_a_race_is_tried_again_and_nobody_asked_again(self) -> None:
        Orders.order_fails.append(lost_race())
        assert reported(send()) == (200, {"reported": 1})
        assert (Orders.calls, made()) == ([ASKED, ORDERED, ORDERED], 1)

    def test_an_answer_that_ends_meanwhile_leaves_a_conflict(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(idempotency, "is_answered", lambda **_: True)
        assert send().status_code == 409
        assert (Orders.calls, made(), Record.objects.count()) == ([], 0, 0)


def lost_race() -> OperationalError:
    """As PostgreSQL tells of a deadlock."""
    cause = Exception("deadlock detected")
    cause.sqlstate = "40P01"  # type: ignore[attr-defined]
    error = OperationalError("deadlock detected")
    error.__cause__ = cause
    return error
