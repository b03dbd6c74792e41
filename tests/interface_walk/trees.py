"""Fields as a tree of names, and how REST and GraphQL are asked for them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.interface_walk.resources import RESOURCES
from tests.interface_walk.tables import held

DEEPEST = 4
Tree = Mapping[str, "Tree | None"]
"""Names, and below those that hold resources a tree of theirs."""


@dataclass(frozen=True)
class Place:
    """Where a resource stands in an answer: the names that lead to it from the answer's own resource."""

    resource: str
    path: tuple[str, ...]

    @property
    def own(self) -> Tree:
        """All its fields. What it holds is reported by ids, where it is not too deep."""
        return {
            name: None if held(kind) is None else {"id": None}
            for name, kind in RESOURCES[self.resource].items()
            if held(kind) is None or len(self.path) < DEEPEST
        }

    @property
    def tree(self) -> Tree:
        """The way to them, and they."""
        tree = self.own
        for name in reversed(self.path):
            tree = {"id": None, name: tree}
        return tree

    def found(self, rows: list[Any], *, spelled: Callable[[str], str] = str) -> list[Any]:
        """What stands there in the rows of an answer that spells names so."""
        for name in self.path:
            below = [row[spelled(name)] for row in rows]
            rows = [each for value in below for each in (value if isinstance(value, list) else [value]) if each]
        return rows


def places(resource: str, *, deepest: int = DEEPEST) -> Iterator[Place]:
    """Every place below an answer of the resource, none of them below its like."""
    yield from _below(Place(resource, ()), seen=(resource,), deepest=deepest)


def _below(place: Place, *, seen: tuple[str, ...], deepest: int) -> Iterator[Place]:
    yield place
    if len(place.path) == deepest:
        return
    for name, kind in RESOURCES[place.resource].items():
        below = held(kind)
        if below and below not in seen:
            yield from _below(Place(below, (*place.path, name)), seen=(*seen, below), deepest=deepest)


def parameter(tree: Tree) -> str:
    """The tree as REST's `fields`."""
    return ",".join(_paths(tree))


def _paths(tree: Tree, before: str = "") -> Iterator[str]:
    for name, below in tree.items():
        if below is None:
            yield f"{before}{name}"
        else:
            yield from _paths(below, f"{before}{name}.")


def selection(tree: Tree) -> str:
    """The tree as GraphQL's selection."""
    return " ".join(
        camel(name) if below is None else f"{camel(name)} {{ {selection(below)} }}" for name, below in tree.items()
    )


def spelled(value: Any, tree: Tree | None) -> Any:
    """REST's answer with GraphQL's names; free objects stay as they are."""
    if tree is None or value is None:
        return value
    if isinstance(value, list):
        return [spelled(each, tree) for each in value]
    return {camel(name): spelled(value[name], below) for name, below in tree.items()}


def camel(name: str) -> str:
    """`created_at` is createdAt."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)
