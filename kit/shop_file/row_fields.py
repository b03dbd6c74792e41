"""The fields of a section whose rows have verbs: they follow from the columns that can be set."""

from typing import Any

from django.db import models

from kit.editing.columns import is_required
from kit.editing.verbs import RowVerbs
from kit.shop_file.values import Amount, Boolean, Choice, DateTime, Day, Integer, Metadata, Number, Percent, Text, Value
from kit.values.money import MoneyField, PercentField

_LAST = "metadata"
_KINDS: tuple[tuple[type[models.Field[Any, Any]], type[Value]], ...] = (
    (PercentField, Percent),
    (MoneyField, Amount),
    (models.BooleanField, Boolean),
    (models.DateTimeField, DateTime),
    (models.DateField, Day),
    (models.FloatField, Number),
    (models.IntegerField, Integer),
)
"""The first class that a column is of."""


def row_fields(verbs: RowVerbs[Any], **others: Value) -> dict[str, Value]:
    """The fields by name, in the order of the columns.

    others: fields in the place of those of their columns, such as a relation's, and fields that are no columns. These
    come before metadata.
    """
    by_column = {_column(verbs, name, value): name for name, value in others.items()}
    fields: dict[str, Value] = {}
    for column in verbs.columns:
        if column == _LAST:
            fields |= {name: value for name, value in others.items() if name not in fields}
        name = by_column.get(column, column)
        fields[name] = others[name] if name in others else _value(verbs.model, column)
    return fields | {name: value for name, value in others.items() if name not in fields}


def _column(verbs: RowVerbs[Any], name: str, value: Value) -> str:
    attribute = value.attribute or name
    return attribute if attribute in verbs.columns else f"{attribute}_id"


def _value(model: type[models.Model], column: str) -> Value:
    field: Any = model._meta.get_field(column)
    given: dict[str, Any] = {"nullable": field.null}
    given["required"] = is_required(field)
    if isinstance(field, models.JSONField):
        return Metadata(**given)
    if field.choices:
        return Choice(choices=tuple(value for value, _ in field.flatchoices), **given)
    if isinstance(field, models.CharField | models.TextField):
        return Text(longest=field.max_length, may_be_blank=field.blank, **given)
    for kind, of_file in _KINDS:
        if isinstance(field, kind):
            return of_file(**given)
    raise TypeError(f"{model.__name__}.{column} has no field of a shop file: give one")
