"""The seven bodies of every route: produced where the route can give them, else injected below its view."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from django.db import connection, transaction

from tests.concurrency.running_server import Answered
from tests.interface_walk.board import BODIES, INJECTED, SENT, Board
from tests.interface_walk.callers import Callers
from tests.interface_walk.injections import Injector
from tests.interface_walk.refused_requests import REFUSED, Refused
from tests.interface_walk.routes import ROUTES, SEVEN, STATUSES
from tests.interface_walk.samples import GRAPHQL, send
from tests.interface_walk.shop import Shop

WRITTEN = ("giftcards_giftcard", "customers_customer", "customers_customeraddress", "apikeys_apikey", "carts_cart")
"""The tables in which the routes write first."""
TYPES = {400: ("not_allowed", "invalid_data")}
"""Where the interface leaves the set of types open."""


def walk_bodies(board: Board, callers: Callers, shop: Shop, injector: Injector) -> None:
    """All seven of each route."""
    busy = _while_busy(callers, shop)
    for name in ROUTES:
        for number, status in enumerate(STATUSES, start=1):
            refused = REFUSED[name].get(status)
            is_sent = status == 200 or refused is not None
            with board.holds(name, BODIES, str(status), mark=SENT if is_sent else INJECTED):
                if status == 200:
                    answer = send(name, callers, shop)
                elif refused is None:
                    answer = injector.answer(name, status)
                elif refused.while_busy:
                    answer, again = busy[name]
                    _assert_done(again())
                else:
                    answer = _send(name, refused, callers, shop)
                _look(name, number, answer)


def _send(route: str, refused: Refused, callers: Callers, shop: Shop) -> Answered:
    if refused.before is not None:
        _assert_done(send(route, callers, shop, caller=refused.caller, **refused.before))
    return send(route, callers, shop, caller=refused.caller, **refused.options)


def _assert_done(answer: Answered) -> None:
    assert answer.status == 200, answer
    assert "errors" not in answer.body, answer


Request = Callable[[], Answered]


def _while_busy(callers: Callers, shop: Shop) -> dict[str, tuple[Answered, Request]]:
    """By route: the answer to what is sent while another writes for longer than anybody waits, and what sends it again.

    Each has an Idempotency-Key: it can be sent again when the other is done.
    """
    requests = {
        name: partial(_send, name, _with_key(refused, f"the-walk-waits-{turn}"), callers, shop)
        for turn, name in enumerate(ROUTES)
        for refused in REFUSED[name].values()
        if refused.while_busy
    }
    with _writing(), ThreadPoolExecutor(len(requests)) as pool:
        answers = pool.map(lambda request: request(), requests.values())
        return {name: (answer, requests[name]) for name, answer in zip(requests, answers, strict=True)}


def _with_key(refused: Refused, key: str) -> Refused:
    return replace(refused, options={**refused.options, "headers": {"Idempotency-Key": key}})


@contextmanager
def _writing() -> Iterator[None]:
    """Nobody else can write. SQLite has one writer at a time by itself."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"LOCK TABLE {', '.join(WRITTEN)} IN EXCLUSIVE MODE")
        yield


def _look(route: str, number: int, answer: Answered) -> None:
    """The answer has the status, content type, keys, type and code of that body.

    GraphQL tells what comes of executing a document within `errors`, beside the status 200.
    """
    status, (content_type, keys, code, kind) = STATUSES[number - 1], SEVEN[number - 1]
    assert answer.headers["content-type"] == content_type, answer
    if number == 1:
        assert answer.status == 200, answer
        assert set(ROUTES[route].answer) <= set(answer.body)
        return
    if number == 3:
        assert (answer.status, answer.body) == (401, "Unauthorized")
        return
    body = answer.body
    if route == GRAPHQL and answer.status == 200:
        (error,) = body["errors"]
        body = {"message": error["message"], **error["extensions"]}
    else:
        assert answer.status == status, answer
    assert set(body) == set(keys)
    assert body["message"]
    assert body.get("code") == code
    assert body["type"] in TYPES.get(status, (kind,))
