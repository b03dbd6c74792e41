"""A serializer class and a Selection, compiled: a level for each resource, a statement for each relation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from django.db import connection, models
from django.db.models import TextField
from django.db.models.functions import Cast

from commerce.core.database import Row
from commerce.core.selection import Selection
from commerce.projection.fields import BatchField, Relation, ResourceSerializerClass, SqlField, ToMany
from commerce.projection.rows import TEXT_DECODED, Answer, Cell, decoder_of, row_builder
from commerce.projection.statements import as_text


@dataclass(frozen=True, eq=False, slots=True)
class Join:
    """One relation of a level.

    near: where this level's row holds the joining value (its own id for a list, the related id for a single row).
    far: where the related row holds it. sort_key: what a list is sorted by, a related row's value or values.
    path: this level's position of the tree path, when a flag widens the relation to the whole chain or tree.
    at_hand: whether a row of this level can stand as a related one: same table, its columns in the same places.
    """

    name: str
    relation: Relation
    level: "Level"
    near: int
    far: int
    sort_key: Callable[[Row], Any] | None
    path: int | None
    at_hand: bool


@dataclass(frozen=True, eq=False, slots=True)
class BatchCell:
    """A computed field and the positions of the columns it reads."""

    name: str
    field: BatchField
    indexes: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """What is read of one resource: the columns of its statement, how a row becomes an object, and what hangs below."""

    model: type[models.Model]
    columns: tuple[Any, ...]
    build: Callable[[Row], Answer]
    joins: tuple[Join, ...]
    batches: tuple[BatchCell, ...]
    back_reference: tuple[str, int] | None


class _Columns:
    """The columns of a level. One that is needed twice is read once; those beyond the answer's stay in the row."""

    def __init__(self) -> None:
        self._positions: dict[Any, int] = {}
        self.read: list[Any] = []

    def position(self, column: str, *, as_plain_text: bool = False) -> int:
        if as_plain_text and connection.vendor == "sqlite":
            return self._place((column, "text"), as_text(column))
        return self._place(column, column)

    def expression(self, name: str, expression: Any, *, as_plain_text: bool = False) -> int:
        if as_plain_text and connection.vendor == "sqlite":
            expression = Cast(expression, TextField())
        return self._place((name, "expression"), expression)

    def _place(self, key: Any, column: Any) -> int:
        if key not in self._positions:
            self._positions[key] = len(self.read)
            self.read.append(column)
        return self._positions[key]


@lru_cache(maxsize=512)
def compile_plan(
    serializer_class: ResourceSerializerClass, selection: Selection, widened: frozenset[str] = frozenset()
) -> Level:
    """The plan for a resource and a selection.

    widened: relations that a flag extends to the whole chain (to-one) or tree (to-many).
    """
    return _compile(serializer_class, selection, widened=widened)


def _compile(
    serializer_class: ResourceSerializerClass,
    selection: Selection,
    *,
    widened: frozenset[str] = frozenset(),
    came_by: Relation | None = None,
    far_columns: tuple[str, ...] = (),
) -> Level:
    fields = serializer_class._declared_fields
    columns = _Columns()
    cells: list[Cell] = []
    batches: list[BatchCell] = []
    for name in selection.scalars:
        field = fields[name]
        if isinstance(field, BatchField):
            batches.append(BatchCell(name, field, tuple(columns.position(column) for column in field.columns)))
            continue
        decoder = decoder_of(field)
        if isinstance(field, SqlField):
            index = columns.expression(name, field.expression, as_plain_text=decoder in TEXT_DECODED)
        else:
            index = columns.position(field.source or name, as_plain_text=decoder in TEXT_DECODED)
        cells.append(Cell(name, index, decoder))
    for column in far_columns:
        columns.position(column)
    back_reference = None
    joins = []
    model = serializer_class.Meta.model
    for name, below in selection.relations:
        relation = fields[name]
        assert isinstance(relation, Relation)  # noqa: S101 - the selection took the name from the shape's relations
        if came_by is not None and name == came_by.inverse and not relation.many:
            back_reference = (name, columns.position(relation.key))
        else:
            joins.append(_join(model, columns, name, relation, below, wide=name in widened))
    return Level(
        model=model,
        columns=tuple(columns.read),
        build=row_builder(cells),
        joins=tuple(joins),
        batches=tuple(batches),
        back_reference=back_reference,
    )


def _join(
    model: type[models.Model], columns: _Columns, name: str, relation: Relation, below: Selection, *, wide: bool
) -> Join:
    to = relation.to()
    order: tuple[str, ...] = ()
    if isinstance(relation, ToMany):
        near, far_column, order = columns.position("id"), relation.key, (*relation.order, "id")
    else:
        near, far_column = columns.position(relation.key), "id"
    path = None
    far_columns = (far_column, *order)
    if wide:
        if relation.path is None:
            raise AssertionError(f"{name} declares no path and cannot be widened")
        path = columns.position(relation.path)
        below = Selection(below.scalars, tuple(each for each in below.relations if each[0] != name))
        far_columns = (*far_columns, "id", relation.key)
    level = _compile(to, below, came_by=relation, far_columns=far_columns)
    return Join(
        name=name,
        relation=relation,
        level=level,
        near=near,
        far=level.columns.index(far_column),
        sort_key=_sort_key(level, order) if order else None,
        path=path,
        at_hand=(
            level.model is model
            and not (relation.many or wide or level.joins or level.batches or level.back_reference)
            and tuple(columns.read[: len(level.columns)]) == level.columns
        ),
    )


def _sort_key(level: Level, order: Sequence[str]) -> Callable[[Row], Any]:
    """Texts sort by code point; rows without a value come last, as in PostgreSQL."""
    positions = [level.columns.index(column) for column in order]
    if any(level.model._meta.get_field(column).null for column in order):
        return lambda row: [(row[position] is None, row[position]) for position in positions]
    return itemgetter(*positions)
