"""What a case is: a request, and what it may cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from string import Template
from typing import Any
from urllib.parse import quote

import orjson

COUNTED_RUNS = 2
"""Repetitions of each case that go before those that are measured: their statements are counted (statements)."""

Facts = Mapping[str, Any]


def _nothing_more(facts: Facts, repetition: int) -> Facts:
    return {}


@dataclass(frozen=True)
class Case:
    """A request; in its path {names}, in its body $names are facts of the data (shop_data).

    data: the kind of data sets that it is measured on (data_sets). floor: the floor program's path for the same answer.
    peer_ms: the measured CPU per request of the program we compare with: Medusa, or Saleor for GraphQL.
    aim_ms and aim_floors: what ours may cost the web process at most, in milliseconds and in multiples of the
    floor; aim_database_ms: what it may cost PostgreSQL; aim_growth: how many times as much it may cost the web
    process on the largest data set as on the smaller one.
    statements: how many SQL statements it may take. is_explained: whether the report holds its plans.
    document, variables: of GraphQL; the variables' values are facts, by these names.
    own_facts: those of a repetition, beside the data's: what makes each write another one. `token`, where it is among
    them, signs a customer in.
    """

    name: str
    path: str
    data: str
    floor: str | None = None
    peer_ms: float | None = None
    aim_ms: float | None = None
    aim_floors: float | None = None
    aim_database_ms: float | None = None
    aim_growth: float | None = None
    statements: int | None = None
    is_explained: bool = False
    method: str = "GET"
    body: str = ""
    document: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)
    own_facts: Callable[[Facts, int], Facts] = _nothing_more

    def request(self, facts: Facts, repetition: int) -> bytes:
        """The request as it goes over the wire for that time, of 0 and more."""
        facts = {**facts, **self.own_facts(facts, repetition)}
        path = quote(self.path.format_map(facts), safe="/?&=*+,:[]%-._")
        body = self._body(facts)
        lines = [f"{self.method} {path} HTTP/1.1", "host: 127.0.0.1", "accept: */*", *self._credentials(facts)]
        if self.document:
            lines.append("x-graphql-request: true")
        if body:
            lines += ["content-type: application/json", f"content-length: {len(body)}"]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def _credentials(self, facts: Facts) -> list[str]:
        if self.path.startswith("/admin"):
            return [f"authorization: Bearer {facts['secret']}"]
        signed_in = [f"authorization: Bearer {facts['token']}"] if "token" in facts else []
        return [f"x-publishable-api-key: {facts['publishable']}", *signed_in]

    def _body(self, facts: Facts) -> bytes:
        if not self.document:
            return Template(self.body).substitute(facts).encode()
        variables = {name: facts[fact] for name, fact in self.variables.items()}
        return orjson.dumps({"query": self.document, "variables": variables})


def graphql(name: str, document: str, **known: Any) -> Case:
    """A case that posts a document to /graphql."""
    return Case(name, "/graphql", method="POST", document=document, **known)
