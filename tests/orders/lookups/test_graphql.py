"""Finding an order as a guest, in GraphQL."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from tests.contract.callers import Caller
from tests.kit.graphql.calls import ask, data, failures
from tests.orders.lookups.asking import mailed
from tests.orders.placed import GUEST, placed

pytestmark = pytest.mark.django_db

REQUEST = """mutation ($number: ID!, $email: String!) {
  requestOrderLookup(input: {displayId: $number, email: $email}) { success } }"""
OPEN = """mutation ($token: String!) { openOrderLookup(input: {token: $token}) { order {
  __typename displayId status email total items { title quantity } fulfillments { labels { trackingNumber } } } } }"""


def request(caller: Caller, number: object, email: str = GUEST, **headers: str) -> object:
    return data(ask(caller, REQUEST, {"number": number, "email": email}, **headers))["requestOrderLookup"]


def opened(caller: Caller, token: str, **headers: str) -> object:
    return data(ask(caller, OPEN, {"token": token}, **headers))["openOrderLookup"]["order"]


def test_the_right_pair_gets_a_token_that_shows_the_order_once(guest: Caller) -> None:
    made = placed()
    assert request(guest, made.display_id) == {"success": True}
    (token,) = mailed()
    assert opened(guest, token, Idempotency_Key="k" * 40) == {
        "__typename": "FoundOrder",
        "displayId": made.display_id,
        "status": "pending",
        "email": "g•••@example.com",
        "total": 10,
        "items": [{"title": made.items.get().title, "quantity": 1}],
        "fulfillments": [],
    }
    again = ask(guest, OPEN, {"token": token}, Idempotency_Key="k" * 40)
    assert failures(again) == [
        ("openOrderLookup", f"Order lookup with id: {token} was not found", {"type": "not_found"})
    ]


def test_wrong_pairs_are_answered_alike_with_the_same_statements(guest: Caller) -> None:
    made = placed()
    request(guest, 999, "first@example.com")
    shapes = []
    for number, email in ((made.display_id, GUEST), (made.display_id, "eve@example.com"), (998, GUEST)):
        with CaptureQueriesContext(connection) as queries:
            assert request(guest, number, email) == {"success": True}
        shapes.append([re.sub(r"'[^']*'|\d+|[0-9a-f]{32,}", "?", query["sql"]) for query in queries])
    assert shapes[0] == shapes[1] == shapes[2]
    assert len(mailed()) == 1


def test_limits(settings: Settings, guest: Caller) -> None:
    settings.THROTTLES = {**settings.THROTTLES, "client_flood": (2, 10**9), "order_lookups": (1, 10**9)}
    assert request(guest, 1) == {"success": True}
    ((_, message, _),) = failures(ask(guest, REQUEST, {"number": 2, "email": GUEST}))
    assert message == "Too many attempts, try again later"
    messages = [failures(ask(guest, OPEN, {"token": f"wrong{number}"}))[0][1] for number in range(3)]
    assert messages == [
        "Order lookup with id: wrong0 was not found",
        "Order lookup with id: wrong1 was not found",
        "Too many attempts, try again later",
    ]
