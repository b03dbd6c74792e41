"""Who asks the running server, each with one kind of credential, and how a document is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tests.concurrency.running_server import Answered, RunningServer, Sent
from tests.factories.staff import PASSWORD
from tests.interface_walk.routes import BEARER, KEY
from tests.interface_walk.shop import Shop

GRAPHQL = "/graphql"
CSRF = "x-graphql-request"
_PLAIN = "=&$[],*-.:/"


@dataclass(frozen=True)
class Caller:
    """Sends with its own headers; a header of None in a request leaves one of them out."""

    server: RunningServer
    headers: Mapping[str, str]

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        query: str = "",
        headers: Mapping[str, str | None] | None = None,
    ) -> Answered:
        """A request. The query is written plainly, and escaped here."""
        named = {**self.headers, **(headers or {})}
        present = {name: value for name, value in named.items() if value is not None}
        where = f"{path}{'?' if query else ''}{quote(query, safe=_PLAIN)}"
        return self.server.send(Sent(where, body, present, method))

    def ask(self, document: str, **variables: Any) -> Answered:
        """A GraphQL document, and values for its variables."""
        return self.send("POST", GRAPHQL, {"query": document, "variables": variables})


@dataclass(frozen=True)
class Callers:
    """By the words of the interface: callers without a credential, a storefront, and who has signed in how.

    Those that are customers have the storefront's key too. Everybody sends what production demands of GraphQL.
    """

    nobody: Caller
    store: Caller
    customer: Caller
    customer_by_cookie: Caller
    staff: Caller
    staff_by_cookie: Caller
    program: Caller
    program_by_basic: Caller


def callers(server: RunningServer, shop: Shop) -> Callers:
    """Everybody. Who can sign in does so, and keys are made, at the server's own routes."""
    base = {CSRF: "true"}
    customer = _signed_in(server, "customer", shop.customer.email or "")
    staff = _signed_in(server, "user", shop.staff.email)
    by_staff = Caller(server, {**base, BEARER: f"Bearer {staff}"})
    key, secret = (_new_key(by_staff, kind) for kind in ("publishable", "secret"))
    store = {**base, KEY: key}
    program = Caller(server, {**base, BEARER: f"Bearer {secret}"})
    program.ask("{ __typename }")  # the first use of a secret key is noted, further ones for a minute not
    return Callers(
        nobody=Caller(server, base),
        store=Caller(server, store),
        customer=Caller(server, {**store, BEARER: f"Bearer {customer}"}),
        customer_by_cookie=Caller(server, {**store, "Cookie": _session(server, customer)}),
        staff=by_staff,
        staff_by_cookie=Caller(server, {**base, "Cookie": _session(server, staff)}),
        program=program,
        program_by_basic=Caller(server, {**base, BEARER: f"Basic {secret}"}),
    )


def _signed_in(server: RunningServer, actor_type: str, email: str) -> str:
    answer = server.send(Sent(f"/auth/{actor_type}/emailpass", {"email": email, "password": PASSWORD}))
    assert answer.status == 200, answer
    return str(answer.body["token"])


def _session(server: RunningServer, token: str) -> str:
    """The cookie of a session that the token opens."""
    answer = server.send(Sent("/auth/session", {}, {BEARER: f"Bearer {token}"}))
    assert answer.status == 200, answer
    cookie = answer.headers["set-cookie"].partition(";")[0]
    assert cookie.startswith("connect.sid=")
    return cookie


def _new_key(staff: Caller, type: str) -> str:
    """The token of an API key."""
    answer = staff.send("POST", "/admin/api-keys", {"title": "Of the walk", "type": type})
    assert answer.status == 200, answer
    return str(answer.body["api_key"]["token"])
