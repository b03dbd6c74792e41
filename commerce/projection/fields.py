"""What a resource's serializer declares beyond DRF's own fields: relations and computed values.

A ResourceSerializer is declared once and read three ways: projected (commerce/projection/plan.py), described
(OpenAPI, GraphQL types), and offered for selection. It never serializes model instances.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db import models
from rest_framework import serializers

from commerce.core.actor import Actor


class ResourceSerializer(serializers.Serializer[Any]):
    """The shape of a resource. `Meta.model` names the table; `Meta.by_request` the scalars outside the defaults."""

    class Meta:
        model: type[models.Model]
        by_request: frozenset[str] = frozenset()


ResourceSerializerClass = type[ResourceSerializer]


class Relation(serializers.Field[Any, Any, Any, Any]):
    """Another resource below this one, loaded by one statement for all rows of a page.

    to: a function that gives the related serializer class, so that resources may refer to each other.
    key: the ORM path that joins them (see ToOne, ToMany).
    inverse: the related resource's relation that leads back here; selected below this one, it answers `{id}` alone.
    path: a column of the related model with the ids from root to row, joined by dots; it lets a flag of the route widen
        the relation to the whole chain or tree.
    """

    many = False

    def __init__(
        self,
        to: Callable[[], ResourceSerializerClass],
        *,
        key: str,
        inverse: str | None = None,
        path: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(read_only=True, **kwargs)
        self.to = to
        self.key = key
        self.inverse = inverse
        self.path = path


class ToOne(Relation):
    """One related row or null. `key`: this model's column that holds the related row's id."""


class ToMany(Relation):
    """A list of related rows. `key`: the ORM path from the related model to this model's id.

    order: the related model's columns that order the list; its id comes last.
    """

    many = True

    def __init__(
        self, to: Callable[[], ResourceSerializerClass], *, key: str, order: Sequence[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(to, key=key, **kwargs)
        self.order = tuple(order)


class Computed(serializers.Field[Any, Any, Any, Any]):
    """A scalar that no column holds; `shown_as` is the DRF field that describes its type."""

    def __init__(self, shown_as: serializers.Field[Any, Any, Any, Any], **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)
        self.shown_as = shown_as


class SqlField(Computed):
    """Computed by the database, row by row; on a list that includes the rows that the offset skips.

    expression: over the row's own columns; what is counted or summed over other rows stands in a Subquery.
    """

    def __init__(
        self,
        shown_as: serializers.Field[Any, Any, Any, Any],
        *,
        expression: models.expressions.Combinable,
        **kwargs: Any,
    ) -> None:
        super().__init__(shown_as, **kwargs)
        self.expression = expression


class Batch:
    """All rows of an answer that need one computed field: their `columns` as tuples, and who asks."""

    __slots__ = ("actor", "context", "rows")

    def __init__(self, rows: Sequence[tuple[Any, ...]], actor: Actor, context: Mapping[str, Any]) -> None:
        self.rows = rows
        self.actor = actor
        self.context = context


class BatchField(Computed):
    """Computed by one call for all rows: `load(batch)` gives the values in the order of `batch.rows`."""

    def __init__(
        self,
        shown_as: serializers.Field[Any, Any, Any, Any],
        *,
        columns: Sequence[str],
        load: Callable[[Batch], Sequence[Any]],
        **kwargs: Any,
    ) -> None:
        super().__init__(shown_as, **kwargs)
        self.columns = tuple(columns)
        self.load = load


class MoneyValue(serializers.FloatField):
    """An amount of a MoneyField column, in major units, as a JSON number."""
