"""Every way to say who asks: it opens what it is for, and without it that stays closed."""

from dataclasses import dataclass
from typing import Any

from tests.concurrency.running_server import Answered
from tests.interface_walk.board import OPENED_BY, Board
from tests.interface_walk.callers import CSRF, Callers
from tests.interface_walk.routes import BEARER, KEY, ROUTES
from tests.interface_walk.samples import ACCOUNTS, ADDRESS, GRAPHQL, KEYS, REDEEM, send
from tests.interface_walk.shop import Shop

CUSTOMERS = (REDEEM, ADDRESS, ACCOUNTS)
STORE = "{ productCategories { count } }"
ME = "{ me { id } }"
STAFF = "{ apiKeys { count } }"
UNAUTHORIZED = (401, "text/plain", "Unauthorized")


@dataclass(frozen=True)
class Credential:
    """name: the interface's. header: where it goes. caller: who sends it. routes, document: what it opens to them."""

    name: str
    header: str
    caller: str
    routes: tuple[str, ...]
    document: str


def credentials() -> tuple[Credential, ...]:
    """All of them, and whom each makes of its sender."""
    store = tuple(name for name in ROUTES if "/store/" in name)
    return (
        Credential("Bearer token (JWT)", BEARER, "customer", CUSTOMERS, ME),
        Credential("Bearer token (JWT)", BEARER, "staff", (KEYS,), STAFF),
        Credential("Session cookie", "Cookie", "customer_by_cookie", CUSTOMERS, ME),
        Credential("Session cookie", "Cookie", "staff_by_cookie", (KEYS,), STAFF),
        Credential("Publishable API key", KEY, "customer", store, ""),
        Credential("Publishable API key", KEY, "store", (), STORE),
        Credential("Secret API key", BEARER, "program", (KEYS,), STAFF),
        Credential("Secret API key", BEARER, "program_by_basic", (KEYS,), STAFF),
        Credential("CSRF header", CSRF, "store", (), STORE),
    )


def walk_credentials(board: Board, callers: Callers, shop: Shop) -> None:
    """Send each where it opens, then the same without it."""
    for credential in credentials():
        requests: list[tuple[str, Any]] = [(route, {}) for route in credential.routes]
        if credential.document:
            requests.append((GRAPHQL, {"body": {"query": credential.document}}))
        for route, options in requests:
            with board.holds(route, OPENED_BY, credential.name):
                caller = credential.caller
                opened = send(route, callers, shop, caller=caller, **options)
                assert opened.status == 200, opened
                assert "errors" not in opened.body, opened
                closed = send(route, callers, shop, caller=caller, headers={credential.header: None}, **options)
                _assert_closed(credential, route, closed)
    for route, caller in (*((route, "store") for route in CUSTOMERS), (KEYS, "nobody"), (GRAPHQL, "nobody")):
        with board.met(f"{route} stays closed to callers who have none"):
            assert whole(send(route, callers, shop, caller=caller)) == UNAUTHORIZED


def _assert_closed(credential: Credential, route: str, answer: Answered) -> None:
    if credential.header == CSRF:
        assert (answer.status, answer.body["message"]) == (400, "The header x-graphql-request: true is required")
    elif credential.header == KEY and route != GRAPHQL:
        assert (answer.status, answer.body["type"]) == (400, "not_allowed")
    elif answer.status == 200:  # what is left is a storefront's key, which opens GraphQL but not what is asked for
        assert answer.body["errors"][0]["extensions"] == {"type": "unauthorized"}
    else:
        assert whole(answer) == UNAUTHORIZED


def whole(answer: Answered) -> tuple[int, str, str]:
    """Status, content type and text."""
    return answer.status, answer.headers["content-type"], answer.body
