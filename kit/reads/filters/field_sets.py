"""What a route offers for selection, and the grammar of `?fields=` that selects from it.

Why: docs/decisions/http.md#selection-accepts-what-storefronts-send. The grammar:

    name, a.b      plain; one plain piece makes the whole list replace the defaults
    +name, ' name' add to the defaults          -name    remove, with everything below it
    *rel, rel.*    every default scalar of a relation; also *a.b, and *scalar for the scalar itself

>>> category = Shape(scalars=("id", "name"), relations={"parent": lambda: category})
>>> chosen = FieldSet(shape=category, defaults="*parent").parse("name,parent.name")
>>> chosen.scalars, chosen.relation("parent").scalars
(('id', 'name'), ('id', 'name'))
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from kit.errors import InvalidData, shown
from kit.query.selection import MAX_DEPTH, MAX_RELATIONS, Selection

MAX_LENGTH = 8_000
_KEPT_LENGTH = 300
_MOST_REPORTED = 20


@dataclass(frozen=True, eq=False)
class Shape:
    """What a resource offers.

    by_request: the scalars that stand outside the defaults.
    along: the relations that are included, whole, wherever the resource is requested as a whole; never in a circle.
    """

    scalars: tuple[str, ...]
    relations: Mapping[str, Callable[[], "Shape"]] = field(default_factory=dict)
    by_request: frozenset[str] = frozenset()
    along: tuple[str, ...] = ()

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

    def take_whole(self) -> None:
        """Every default scalar, and the relations that come along."""
        self.scalars.update(self.shape.default_scalars)
        for name in self.shape.along:
            self.below(name).take_whole()

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
    """The fields of one route: what it offers, and what it sends by default.

    shape: or a function that gives it, called when the first request is parsed: until then apps may add relations.
    defaults: a `fields` list applied to the shape's default scalars, such as `*parent_category,*category_children`; one
        with a plain piece replaces them.
    offered: where a route restricts selection, the only paths it takes (`addresses` grants everything below it).
    always: a `fields` list of what is sent whatever was asked for.
    """

    shape: Shape | Callable[[], Shape]
    defaults: str = ""
    offered: frozenset[str] | None = None
    always: str = ""

    @property
    def offers(self) -> Shape:
        """The shape that is selected from."""
        return self.shape if isinstance(self.shape, Shape) else self.shape()

    def parse(self, text: str | None) -> Selection:
        """The selection of a `fields` parameter; None (no parameter) means the defaults.

        Raises InvalidData naming every field that the route does not offer, or that lies too deep.
        """
        if text is None or len(text) <= _KEPT_LENGTH:
            return _parse_once(self, text)
        return _parse(self, text)


@lru_cache(maxsize=512)
def _parse_once(field_set: FieldSet, text: str | None) -> Selection:
    return _parse(field_set, text)


def _parse(field_set: FieldSet, text: str | None) -> Selection:
    root = _Node(field_set.offers)
    if text is None or not _replaces(text):
        if not (field_set.defaults and _replaces(field_set.defaults)):
            root.take_whole()
        _Reader(root, offered=None).apply(field_set.defaults, replace=False)
    if text is not None:
        if len(text) > MAX_LENGTH:
            raise InvalidData(f"Value for field 'fields' too big, expected at most: '{MAX_LENGTH}' characters")
        reader = _Reader(root, offered=field_set.offered)
        reader.apply(text, replace=_replaces(text))
        reader.refuse()
    _Reader(root, offered=None).apply(field_set.always, replace=True)
    return root.freeze()


def _replaces(text: str) -> bool:
    """Whether any piece is plain; an empty list replaces the defaults by nothing."""
    pieces = [piece for piece in text.split(",") if piece.strip()]
    return not text.strip() or any(
        piece[0] not in "+-* \t" and not piece.rstrip().endswith((".*", "*")) for piece in pieces
    )


def _reported(paths: list[str]) -> str:
    """The first of them, each cut."""
    return ", ".join(map(shown, paths[:_MOST_REPORTED]))


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
                self._root.take_whole()

    def refuse(self) -> None:
        """Raise for everything that could not be applied, and for more relations than one request may bring."""
        if self._unknown:
            raise InvalidData(f"Requested fields [{_reported(self._unknown)}] are not valid")
        if self._too_deep:
            raise InvalidData(
                f"The following fields expand more than the maximum of {MAX_DEPTH} allowed relations: "
                f"{_reported(self._too_deep)}"
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
        names = path.split(".")
        return any(".".join(names[:length]) in self._offered for length in range(1, len(names) + 1))

    def _add(self, above: list[str], last: str) -> None:
        node = self._root
        for name in above:
            node = node.below(name)
        if last in node.shape.relations:
            node.below(last).take_whole()
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
