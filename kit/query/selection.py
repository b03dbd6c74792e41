"""Which fields: a tree of scalars and relations, parsed from `?fields=` or built from a GraphQL selection set."""

from collections import Counter
from dataclasses import dataclass

MAX_DEPTH = 4
MAX_RELATIONS = 32


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is the same in every object, such as GraphQL's `__typename`."""

    value: str


@dataclass(frozen=True)
class Selection:
    """The chosen fields of one resource, and below its relations theirs.

    From REST: the names of fields, in the resource's own order, whatever order the caller used.
    From GraphQL: response keys. A key that is not its field's name stands in `names`, with the name or a Constant
    behind it; a field may stand under several keys, a relation too, with another selection below each. `order` is every
    key of scalars and relations in the order of the answer: given, it makes the selection a shaped one, whose answers
    have exactly these keys, in this order, at every level.

    `{ a: title, createdAt, type { __typename } }` is
    Selection(("a", "createdAt"), (("type", Selection(("__typename",), names=(("__typename", Constant("ProductType")),),
    order=("__typename",))),), names=(("a", "title"), ("createdAt", "created_at")), order=("a", "createdAt", "type"))
    """

    scalars: tuple[str, ...]
    relations: tuple[tuple[str, "Selection"], ...] = ()
    names: tuple[tuple[str, str | Constant], ...] = ()
    order: tuple[str, ...] | None = None

    def relation(self, key: str) -> "Selection | None":
        """The selection below the relation under that key, or None where it was not chosen."""
        return next((below for chosen, below in self.relations if chosen == key), None)

    @property
    def copies(self) -> int:
        """How often an object repeats one of its values: under so many keys stands the field that has most of them."""
        named = dict(self.names)
        return max(Counter(named.get(key, key) for key in self.scalars).values(), default=1) if named else 1

    @property
    def values(self) -> int:
        """How many values an object holds, with those of the objects below it."""
        return len(self.scalars) + sum(1 + below.values for _, below in self.relations)
