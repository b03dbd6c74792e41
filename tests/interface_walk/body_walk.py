"""The seven bodies of every route: produced where the route can give them, else injected below its view."""

from collections.abc import Iterator
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


def walk_bodies(board: Board, callers: Callers, shop: Shop, injector: Injector) -> None:
    """All seven of each route."""
    busy = _while_busy(callers, shop)
    for name in ROUTES:
        for number, status in enumerate(STATUSES, start=1):
            refused = Refused() if status == 200 else REFUSED[name].get(status)
            with board.holds(name, BODIES, str(status), mark=SENT if refused else INJECTED):
                if refused is None:
                    answer = injector.answer(name, status)
                elif refused.while_busy:
                    answer = busy[name]
                else:
                    answer = _send(name, refused, callers, shop)
                _look(name, number, answer)


def _send(route: str, refused: Refused, callers: Callers, shop: Shop) -> Answered:
    if refused.before is not None:
        first = send(route, callers, shop, caller=refused.caller, **refused.before)
        assert first.status == 200, first
    return send(route, callers, shop, caller=refused.caller, **refused.options)


def _while_busy(callers: Callers, shop: Shop) -> dict[str, Answered]:
    """The answers, by route, to all that is to be sent while another writes for longer than anybody waits.

    Each is sent again with its Idempotency-Key when the other is done, and succeeds.
    """
    waiting = {
        name: partial(_send, name, _with_key(refused, f"the-walk-waits-{turn}"), callers, shop)
        for turn, name in enumerate(ROUTES)
        for refused in REFUSED[name].values()
        if refused.while_busy
    }
    with _writing(), ThreadPoolExecutor(len(waiting)) as pool:
        sent = {name: pool.submit(request) for name, request in waiting.items()}
        answers = {name: each.result() for name, each in sent.items()}
    for name, request in waiting.items():
        again = request()
        assert again.status == 200, (name, again)
        assert "errors" not in again.body, (name, again)
    return answers


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
