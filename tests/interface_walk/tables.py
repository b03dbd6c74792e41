"""How the walk's tables are written: what a resource has, and what a route takes and gives."""

import re
from dataclasses import dataclass, field

TEXT, NUMBER, FLAG, OBJECT, MOMENT = "string", "number", "boolean", "object", "timestamp"
Fields = dict[str, str]
"""Kinds by the names of fields. A kind is one of the five above, `one X` or `list X`, X being a resource."""


def fields(
    *,
    text: str = "",
    number: str = "",
    flag: str = "",
    object: str = "",
    moment: str = "",
    one: dict[str, str] | None = None,
    many: dict[str, str] | None = None,
) -> Fields:
    """The fields of a resource: names by kind, and those that hold other resources."""
    kinds = {TEXT: text, NUMBER: number, FLAG: flag, OBJECT: object, MOMENT: moment}
    return {
        **{name: kind for kind, names in kinds.items() for name in names.split()},
        **{name: f"one {resource}" for name, resource in (one or {}).items()},
        **{name: f"list {resource}" for name, resource in (many or {}).items()},
    }


def held(kind: str) -> str | None:
    """The resource that a field of this kind holds, one of it or a list."""
    how, _, resource = kind.partition(" ")
    return resource if how in ("one", "list") else None


@dataclass(frozen=True)
class Route:
    """A route as the interface has it.

    query, body: what it takes by name. answer: the keys of what it gives, and the resource below the last of them.
    headers: credentials that it names.
    """

    name: str
    resource: str | None
    answer: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    headers: frozenset[str] = field(default=frozenset())

    @property
    def path_parameters(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.name)

    @property
    def method(self) -> str:
        return self.name.partition(" ")[0]
