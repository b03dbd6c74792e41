"""What a list may be sorted by, and how: columns, expressions, and the columns of a to-one relation."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import CharField, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast

from kit.domain.actor import Actor
from kit.reads.declarations.computed import Computed, SqlField
from kit.reads.declarations.fields import ResourceSerializerClass, ToOne
from kit.reads.declarations.shapes import shape_of
from kit.reads.declarations.visibility import visible


@dataclass(frozen=True, slots=True)
class SortKey:
    """A column or expression of the listed resource, or of the one resource that `through` leads to."""

    by: str | Combinable
    through: ToOne | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """How rows are sorted by a column of related rows.

    column: has the related row's key in each row. values: a query for these keys, with the column that sorts.
    """

    column: str
    values: "QuerySet[Any, Any]"


@cache
def sortable(serializer_class: ResourceSerializerClass) -> Mapping[str, SortKey]:
    """What `order` takes: the resource's default scalars, and those of its to-one relations behind a dot.

    A field that a function computes cannot order the pages, and is left out.
    """
    keys = {name: SortKey(by) for name, by in _sorted_by(serializer_class).items()}
    for name, field in serializer_class._declared_fields.items():
        if isinstance(field, ToOne):
            keys |= {f"{name}.{below}": SortKey(by, field) for below, by in _sorted_by(field.to()).items()}
    return keys


def _sorted_by(serializer_class: ResourceSerializerClass) -> dict[str, str | Combinable]:
    fields = {name: serializer_class._declared_fields[name] for name in shape_of(serializer_class).default_scalars}
    return {
        name: field.expression if isinstance(field, SqlField) else field.source or name
        for name, field in fields.items()
        if isinstance(field, SqlField) or not isinstance(field, Computed)
    }


def sort_expression(key: Hashable, actor: Actor, *, with_deleted: bool) -> Combinable | None:
    """What to ORDER BY. A related row that the actor may not see sorts as none: it must not show by its place."""
    if not isinstance(key, SortKey):
        return None
    if key.through is None:
        return F(key.by) if isinstance(key.by, str) else key.by
    related = visible(key.through.to().Meta.model, actor, with_deleted=with_deleted).filter(key.through.only)
    if related.query.is_empty():  # Django would take a sort by no rows for a list without rows
        return Cast(Value(None), CharField())
    return Subquery(related.filter(**{key.through.far or "pk": OuterRef(key.through.key)}).values_list(key.by)[:1])


def related_values(key: Hashable, actor: Actor, *, with_deleted: bool) -> Related | None:
    """The values of all related rows that sort_expression sorts by. None if it sorts by no related rows."""
    if not isinstance(key, SortKey) or key.through is None:
        return None
    related = visible(key.through.to().Meta.model, actor, with_deleted=with_deleted).filter(key.through.only)
    if related.query.is_empty():
        return None
    return Related(key.through.key, related.values_list(key.through.far or "pk", key.by))
