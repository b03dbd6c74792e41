"""Every field of every resource, wherever it can be reached, over REST and over GraphQL."""

from collections import defaultdict
from typing import Any

from tests.interface_walk.board import GRAPHQL, REST, Board
from tests.interface_walk.callers import Callers
from tests.interface_walk.kinds import fits
from tests.interface_walk.resources import RESOURCES
from tests.interface_walk.shop import Shop
from tests.interface_walk.sources import SOURCES, Source
from tests.interface_walk.trees import Place, Tree, places, spelled

NEVER_FILLED = {
    "Customer": {"deleted_at"},
}
"""What no caller can be shown: a deleted customer cannot sign in."""
Seen = dict[str, set[str]]


def walk_fields(board: Board, callers: Callers, shop: Shop) -> None:
    """Read all of it. A resource holds once each of its fields was seen with a value of its kind."""
    seen: dict[str, Seen] = {REST: defaultdict(set), GRAPHQL: defaultdict(set)}
    for source in SOURCES:
        for place in places(source.resource, deepest=source.deepest):
            where = ".".join((source.resource, *place.path))
            with board.met(f"{source.method} {source.path} {where}"):
                _read(source, place, callers, shop, seen)
    for resource, fields in RESOURCES.items():
        for transport in (REST, GRAPHQL):
            with board.holds(resource, transport, str(len(fields))):
                unfilled = set(fields) - seen[transport][resource]
                assert unfilled == NEVER_FILLED.get(resource, set())


def _read(source: Source, place: Place, callers: Callers, shop: Shop, seen: dict[str, Seen]) -> None:
    rows = source.by_rest(callers, shop, place.tree)
    assert rows
    by_graphql = source.by_graphql(callers, shop, place.tree, rows[0])
    assert by_graphql == spelled(rows, place.tree)
    for row in rows:
        assert set(row) == set(place.tree)
    filled = _filled(place, place.found(rows))
    for transport in (REST, GRAPHQL):
        seen[transport][place.resource] |= filled


def _filled(place: Place, rows: list[Any]) -> set[str]:
    """The fields that say something in these rows; whatever they say is of its kind."""
    filled = set()
    for row in rows:
        assert set(row) == set(_innermost(place))
        for name, value in row.items():
            kind = RESOURCES[place.resource][name]
            assert value is None or fits(value, kind), (place, name, value)
            if value not in (None, []):
                filled.add(name)
    return filled


def _innermost(place: Place) -> Tree:
    tree: Any = place.tree
    for name in place.path:
        tree = tree[name]
    return tree
