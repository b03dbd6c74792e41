"""A resource whose rows are in no table: they are computed for each request, then filtered like any others.

Selection, order and page work on the rows that `load` gives, in memory; so a list of them has to be short by nature.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from operator import eq, ge, gt, le, lt
from typing import Any

from rest_framework import serializers

from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.errors import NotFound
from kit.query.conditions import Is, decide
from kit.query.selection import Selection
from kit.reads.declarations.computed import Embedded
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.declarations.shapes import shape_of
from kit.reads.plans.bounds import AnswerLimit
from kit.reads.plans.field_picking import picker
from kit.reads.plans.rows import Answer
from kit.reads.reading import Listed, ListQuery
from kit.reads.resources import Resource

Shown = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class ComputedResource(Resource):
    """A resource of computed objects.

    Its serializer's relations are Embedded ones; `Meta.model` names what a row is, and need not hold it.
    """

    def load(self, query: ListQuery, actor: Actor) -> Sequence[Shown]:
        """All rows that the query's condition is true of, as mappings that BatchRelation describes, each with an id."""
        raise NotImplementedError

    def one(self, id: str, query: ListQuery, actor: Actor) -> Answer:
        """Raises NotFound."""
        rows = [row for row in self.load(query, actor) if row[self.key] == id]
        if not rows:
            raise NotFound(missing(self.name.replace("_", " ").capitalize(), id))
        return self.shown(rows, query.selection)[0]

    @cached_property
    def orders(self) -> Mapping[str, Hashable]:
        """The default scalars, and those of single objects behind a dot; what is JSON of any kind has no order."""
        paths: dict[str, tuple[str, ...]] = {name: (name,) for name in _ordered(self.serializer_class)}
        for name, field in self.serializer_class._declared_fields.items():
            if isinstance(field, Embedded) and not field.many:
                paths |= {f"{name}.{below}": (name, below) for below in _ordered(field.to())}
        return paths

    def page(self, query: ListQuery, actor: Actor) -> Listed:
        rows = list(self.load(query, actor))
        path, page = query.order.key, query.page
        rows.sort(key=lambda row: row["id"], reverse=query.order.descending)
        if isinstance(path, tuple):
            rows.sort(key=lambda row: _sorting(row, path), reverse=query.order.descending)
        chosen = rows[page.offset : page.offset + page.limit]
        answer_limit = query.answer_limit or AnswerLimit()
        answer_limit.take(len(chosen), copies=query.selection.copies, values=query.selection.values)
        return Listed(self.shown(chosen, query.selection), len(rows))

    def shown(self, rows: Sequence[Shown], selection: Selection) -> list[Answer]:
        """The selected fields of the rows."""
        chosen: list[Answer] = _chooser(self.serializer_class, selection)(rows)
        return chosen


def chosen(rows: Iterable[Shown], query: ListQuery) -> list[Shown]:
    """The rows that the query's condition is true of, for conditions on their own values."""
    return [row for row in rows if decide(query.condition, partial(_holds, row))]


_LOOKUPS: Mapping[str, Callable[[Any, Any], bool]] = {
    "": eq,
    "gt": gt,
    "gte": ge,
    "lt": lt,
    "lte": le,
    "in": lambda value, wanted: value in wanted,
    "icontains": lambda value, wanted: wanted.lower() in value.lower(),
}


def _holds(row: Shown, condition: Is) -> bool:
    name, _, lookup = condition.lookup.replace("pk", "id").partition("__")
    return row[name] is not None and _LOOKUPS[lookup](row[name], condition.value) != condition.negated


@lru_cache(maxsize=512)
def _chooser(serializer_class: ResourceSerializerClass, selection: Selection) -> Callable[[Sequence[Shown]], Any]:
    return picker(Embedded(lambda: serializer_class, many=True), selection)


def _ordered(serializer_class: ResourceSerializerClass) -> list[str]:
    fields = serializer_class._declared_fields
    return [
        name
        for name in shape_of(serializer_class).default_scalars
        if not isinstance(fields[name], serializers.DictField | serializers.JSONField)
    ]


def _sorting(row: Shown, path: tuple[str, ...]) -> tuple[bool, Any]:
    """Nothing stands last, first where descending."""
    value: Any = row
    for name in path:
        value = None if value is None else value[name]
    return (value is None, 0 if value is None else value)
