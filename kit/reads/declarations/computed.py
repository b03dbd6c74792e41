"""What a serializer declares of values that no column holds: the database computes them, or one call for all rows."""

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, TypeVar

from django.db import models
from rest_framework import serializers

from kit.database.raw_sql import Row
from kit.domain.actor import Actor
from kit.query.selection import Selection
from kit.reads.declarations.fields import Relation, ResourceSerializerClass
from kit.values.json import JSON

AnyField = TypeVar("AnyField", bound=serializers.Field[Any, Any, Any, Any])


class Embedded(Relation):
    """An object or null, with many=True a list of objects, found under this name in its holder's mapping.

    The holder is what a BatchRelation has loaded, or another Embedded.
    """

    def __init__(self, to: Callable[[], ResourceSerializerClass], *, many: bool = False, **kwargs: Any) -> None:
        super().__init__(to, **kwargs)
        self.many = many


class RowObject(Relation):
    """A nested object of the row's own columns, which are named by the fields of the related serializer."""


class Batch:
    """All rows of an answer that need one computed value.

    rows: their declared columns as tuples: amounts as Decimal, timestamps as aware datetimes, JSON parsed.
    actor, context: the caller, and the context that the route adds (ListQuery.context). A loader may add to it what the
        later ones of the same response need.
    selection: the selected fields of a BatchRelation's objects, so that a loader can leave out the rest; by response
        keys, see Selection. None for a BatchField.
    """

    __slots__ = ("actor", "context", "rows", "selection")

    def __init__(
        self,
        rows: Sequence[Row],
        actor: Actor,
        context: MutableMapping[str, Any],
        selection: Selection | None = None,
    ) -> None:
        self.rows = rows
        self.actor = actor
        self.context = context
        self.selection = selection


class BatchRelation(Relation):
    """An object or null for each row, computed by one call for all rows of a level.

    columns: the holder's columns that the function gets.
    load: gives a mapping or None for each of `batch.rows`, in their order; with many=True, a list of mappings. A
        mapping holds the related serializer's scalars under their declared names, ready for JSON, and its Embedded
        objects; what the selection leaves out may be missing.
    """

    def __init__(
        self,
        to: Callable[[], ResourceSerializerClass],
        *,
        columns: Sequence[str],
        load: Callable[[Batch], Sequence[object]],
        many: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(to, **kwargs)
        self.columns = tuple(columns)
        self.load = load
        self.many = many


class Computed(serializers.Field[object, object, object, object]):
    """A scalar that no column holds; `output_field` is the DRF field that describes its type."""

    def __init__(self, output_field: AnyField, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)
        self.output_field: serializers.Field[Any, Any, Any, Any] = output_field


class SqlField(Computed):
    """Computed by the database, row by row; on a list that includes the rows that the offset skips.

    expression: over the row's own columns; count or sum over other rows in a Subquery.
    """

    def __init__(
        self,
        output_field: AnyField,
        *,
        expression: models.expressions.Combinable,
        **kwargs: Any,
    ) -> None:
        super().__init__(output_field, **kwargs)
        self.expression = expression


class ConstantField(Computed):
    """The same JSON value in every row."""

    def __init__(self, output_field: AnyField, *, value: JSON, **kwargs: Any) -> None:
        super().__init__(output_field, **kwargs)
        self.value = value


class RowField(Computed):
    """Computed in Python from columns of the row. A value that takes a statement is a BatchField.

    compute: receives the columns' raw values by position, and returns a raw value (kit/reads/sql/columns.py).
    """

    def __init__(
        self, output_field: AnyField, *, columns: Sequence[str], compute: Callable[..., object], **kwargs: Any
    ) -> None:
        super().__init__(output_field, **kwargs)
        self.columns = tuple(columns)
        self.compute = compute


class BatchField(Computed):
    """Computed by one call for all rows: `load(batch)` gives the values in the order of `batch.rows`.

    Shown as MoneyValue a value may be a Decimal, shown as a DateTimeField an aware datetime; others are JSON's own.
    """

    def __init__(
        self,
        output_field: AnyField,
        *,
        columns: Sequence[str],
        load: Callable[[Batch], Sequence[object]],
        **kwargs: Any,
    ) -> None:
        super().__init__(output_field, **kwargs)
        self.columns = tuple(columns)
        self.load = load


class MoneyValue(serializers.FloatField):
    """An amount of a MoneyField column, in major units, as a JSON number."""


class PictureAddress(serializers.CharField):
    """A text column with the URL of a picture; a path on this server is returned as an absolute URL."""
