"""Which fields: a tree of scalars and relations, parsed from `?fields=` or built from a GraphQL selection set.

The grammar (interface.md, Endpoints; behaviour.md 2.1 and 0.14):

    name, a.b      plain; one plain piece makes the whole list replace the defaults
    +name, ' name' add to the defaults          -name    remove, with everything below it
    *rel, rel.*    every default scalar of a relation; also *a.b, and *scalar for the scalar itself

>>> category = Shape(scalars=("id", "name"), relations={"parent": lambda: category})
>>> FieldSet(shape=category, defaults="*parent").parse("name,parent.name")
Selection(scalars=('id', 'name'), relations=(('parent', Selection(scalars=('id', 'name'), relations=())),))
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from commerce.core.errors import InvalidData

MAX_DEPTH = 4
MAX_RELATIONS = 30
MAX_LENGTH = 8_000
_KEPT_LENGTH = 300


@dataclass(frozen=True)
class Selection:
    """The chosen fields of one resource, in the resource's own order, whatever order the caller used."""

    scalars: tuple[str, ...]
    relations: tuple[tuple[str, "Selection"], ...] = ()

    def relation(self, name: str) -> "Selection | None":
        """The selection below the relation, or None where the relation was not chosen."""
        return next((below for chosen, below in self.relations if chosen == name), None)


@dataclass(frozen=True, eq=False)
class Shape:
    """What a resource offers. `by_request` names the scalars that stand outside the defaults."""

    scalars: tuple[str, ...]
    relations: Mapping[str, Callable[[], "Shape"]] = field(default_factory=dict)
    by_request: frozenset[str] = frozenset()

    @property
    def default_scalars(self) -> tuple[str, ...]:
        return tuple(name for name in self.scalars if name not in self.by_request)


class _Node:
    """A selection while it is put together."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.scalars: set[str] = {"id"} & set(shape.scalars)
        self.relations: dict[str, _Node] = {}

    def below(self, name: str) -> "_Node":
        if name not in self.relations:
            self.relations[name] = _Node(self.shape.relations[name]())
        return self.relations[name]

    def count(self) -> int:
        """Relations below, at any depth: each is a statement."""
        return sum(1 + below.count() for below in self.relations.values())

    def freeze(self) -> Selection:
        return Selection(
            scalars=tuple(name for name in self.shape.scalars if name in self.scalars),
            relations=tuple(
                (name, self.relations[name].freeze()) for name in self.shape.relations if name in self.relations
            ),
        )


@dataclass(frozen=True, eq=False)
class FieldSet:
    """The fields of one route: what it offers and what it sends when nothing is asked for.

    defaults: a `fields` list applied to the shape's default scalars, such as `*parent_category,*category_children`.
    offered: where a route restricts selection, the only paths it takes (`addresses` grants everything below it).
    """

    shape: Shape
    defaults: str = ""
    offered: frozenset[str] | None = None

    def parse(self, text: str | None) -> Selection:
        """The selection that a `fields` parameter asks for; None (no parameter) means the defaults.

        Raises InvalidData naming every field that the route does not offer, or that lies too deep.
        """
        if text is None or len(text) <= _KEPT_LENGTH:
            return _parse_once(self, text)
        return _parse(self, text)


@lru_cache(maxsize=512)
def _parse_once(field_set: FieldSet, text: str | None) -> Selection:
    return _parse(field_set, text)


def _parse(field_set: FieldSet, text: str | None) -> Selection:
    root = _Node(field_set.shape)
    if text is None or not _replaces(text):
        root.scalars.update(field_set.shape.default_scalars)
        _Reader(root, offered=None).apply(field_set.defaults, replace=False)
    if text is not None:
        if len(text) > MAX_LENGTH:
            raise InvalidData(f"Value for field 'fields' too big, expected at most: '{MAX_LENGTH}' characters")
        reader = _Reader(root, offered=field_set.offered)
        reader.apply(text, replace=_replaces(text))
        reader.refuse()
    return root.freeze()


def _replaces(text: str) -> bool:
    """Whether any piece is plain; an empty list replaces the defaults by nothing."""
    pieces = [piece for piece in text.split(",") if piece.strip()]
    return not text.strip() or any(
        piece[0] not in "+-* \t" and not piece.rstrip().endswith((".*", "*")) for piece in pieces
    )


class _Reader:
    """Applies pieces to a node and keeps what has to be refused."""

    def __init__(self, root: _Node, *, offered: frozenset[str] | None) -> None:
        self._root = root
        self._offered = offered
        self._unknown: list[str] = []
        self._too_deep: list[str] = []

    def apply(self, text: str, *, replace: bool) -> None:
        for piece in text.split(","):
            name = piece.strip()
            removes = name.startswith("-") and not replace
            name = name.lstrip("+- \t")
            starred = name.startswith("*") or name.endswith(".*")
            path = name.removeprefix("*").removesuffix(".*").strip()
            if path:
                self._apply_path(path, removes=removes)
            elif starred and replace:  # a lone `*`: the resource's own scalars
                self._root.scalars.update(self._root.shape.default_scalars)

    def refuse(self) -> None:
        """Raise for everything that could not be applied, and for more relations than one request may bring."""
        if self._unknown:
            raise InvalidData(f"Requested fields [{', '.join(self._unknown)}] are not valid")
        if self._too_deep:
            raise InvalidData(
                f"The following fields expand more than the maximum of {MAX_DEPTH} allowed relations: "
                f"{', '.join(self._too_deep)}"
            )
        if self._root.count() > MAX_RELATIONS:
            raise InvalidData(f"Requested fields expand more than the maximum of {MAX_RELATIONS} relations")

    def _apply_path(self, path: str, *, removes: bool) -> None:
        *above, last = path.split(".")
        shape = self._root.shape
        for name in above:
            if name not in shape.relations:
                self._unknown.append(path)
                return
            shape = shape.relations[name]()
        is_relation = last in shape.relations
        if not (is_relation or last in shape.scalars) or not self._is_offered(path):
            self._unknown.append(path)
        elif len(above) + is_relation > MAX_DEPTH:
            self._too_deep.append(path)
        elif removes:
            self._remove(above, last)
        else:
            self._add(above, last)

    def _is_offered(self, path: str) -> bool:
        if self._offered is None:
            return True
        parts = path.split(".")
        return any(".".join(parts[:length]) in self._offered for length in range(1, len(parts) + 1))

    def _add(self, above: list[str], last: str) -> None:
        node = self._root
        for name in above:
            node = node.below(name)
        if last in node.shape.relations:
            below = node.below(last)
            below.scalars.update(below.shape.default_scalars)
        else:
            node.scalars.add(last)

    def _remove(self, above: list[str], last: str) -> None:
        node = self._root
        for name in above:
            if name not in node.relations:
                return
            node = node.relations[name]
        node.relations.pop(last, None)
        if last != "id":
            node.scalars.discard(last)
