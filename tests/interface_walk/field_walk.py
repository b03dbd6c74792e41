"""Every field of every resource, wherever it can be reached, over REST and over GraphQL."""

from collections import defaultdict

from tests.interface_walk.board import EMPTY, GRAPHQL, REST, Board
from tests.interface_walk.callers import Callers
from tests.interface_walk.empty_fields import EMPTY_FIELDS
from tests.interface_walk.kinds import fits
from tests.interface_walk.resources import RESOURCES
from tests.interface_walk.shop import Shop
from tests.interface_walk.sources import SOURCES, Row, Source
from tests.interface_walk.trees import Place, camel, places, spelled


class Seen:
    """By resource, the fields that answers had, and those that said something, which was of their kind."""

    def __init__(self) -> None:
        self.had: dict[str, set[str]] = defaultdict(set)
        self.filled: dict[str, set[str]] = defaultdict(set)

    def look(self, resource: str, row: Row) -> None:
        """What a row has of the resource."""
        for name, value in row.items():
            assert value is None or fits(value, RESOURCES[resource][name]), (resource, name, value)
            self.had[resource].add(name)
            if value not in (None, [], {}, ""):
                self.filled[resource].add(name)


def walk_fields(board: Board, callers: Callers, shop: Shop) -> None:
    """Read all of it. A field holds once it was seen with a value of its kind; an empty one while it never was."""
    seen = {REST: Seen(), GRAPHQL: Seen()}
    for source in SOURCES:
        for place in places(source.resource, deepest=source.deepest):
            where = ".".join((source.resource, *place.path))
            with board.met(f"{source.method} {source.path} {where}"):
                _read(source, place, callers, shop, seen)
    for resource, fields in RESOURCES.items():
        for transport in (REST, GRAPHQL):
            for name in fields:
                is_empty = (resource, name) in EMPTY_FIELDS
                with board.holds(resource, transport, name, mark=EMPTY if is_empty else ""):
                    assert name in seen[transport].had[resource]
                    assert is_empty != (name in seen[transport].filled[resource])


def _read(source: Source, place: Place, callers: Callers, shop: Shop, seen: dict[str, Seen]) -> None:
    rows = source.by_rest(callers, shop, place.tree)
    assert rows
    twins = source.by_graphql(callers, shop, place.tree, rows[0])
    assert twins == spelled(rows, place.tree)
    own = place.own
    for row in place.found(rows):
        assert set(row) == set(own)
        seen[REST].look(place.resource, row)
    for row in place.found(twins, spelled=camel):
        assert set(row) == set(map(camel, own))
        seen[GRAPHQL].look(place.resource, {name: row[camel(name)] for name in own})
