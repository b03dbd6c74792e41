"""Checks of a row's columns, by the declarations of its model."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from kit.errors import InvalidData
from kit.values import metadata, text
from kit.values.money import PercentField, percent


def problems(row: models.Model, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with the columns of these names: by field, as sentences that name it.

    Whether the rows exist that foreign keys name is not checked.
    """
    for field in row._meta.concrete_fields:
        if field.attname in names:
            problem = _problem(field, getattr(row, field.attname), row)
            if problem:
                yield field.name, problem


def is_required(field: models.Field[Any, Any]) -> bool:
    """Whether a new row must be given the column: it has no default, and is neither null nor blank."""
    return not (field.null or field.blank or field.has_default())


def _problem(field: models.Field[object, object], value: object, row: models.Model) -> str | None:
    try:
        if isinstance(field, models.JSONField):
            if value is not None:
                metadata.checked(dict(value) if isinstance(value, Mapping) else {"": value}, field=field.name)  # type: ignore[dict-item]
        elif isinstance(field, PercentField):
            percent(value, field=field.name)  # type: ignore[arg-type]
        elif isinstance(value, str) and not isinstance(field, models.ForeignKey):
            text.checked(value, field=field.name, longest=field.max_length, may_be_blank=field.blank)
    except InvalidData as refusal:
        return refusal.message
    if isinstance(field, models.ForeignKey):
        return None if field.null or value is not None else f"Field '{field.name}' is required"
    if field.blank and value in field.empty_values:
        return None
    try:
        field.clean(value, row)
    except ValidationError as error:
        return f"Value for field '{field.name}': {' '.join(error.messages)}"
    return None
