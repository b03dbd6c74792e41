"""Values that no two rows may share, for a batch of rows at once."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from django.db import models

from kit.domain.base_model import NOT_DELETED
from kit.domain.soft_deletion import always_unique, unique_together

Taken = tuple[models.Model, str]
"""A row, and the field that is named in the error: the last of the constraint that is no boolean."""


def taken(
    model: type[models.Model], rows: Sequence[models.Model], *, given: Collection[str] | None = None
) -> list[Taken]:
    """The rows whose values another row has, in the table or earlier in the batch. One statement per constraint.

    given: only constraints with one of these attributes are checked; None for all. A row in the batch has its stored
    values as well as the wanted ones, so that two rows cannot exchange theirs.
    """
    rules = [(names, True) for names in unique_together(model)] + [(names, False) for names in always_unique(model)]
    found = []
    for names, is_of_living in rules:
        columns = [model._meta.get_field(name).attname for name in names]  # type: ignore[union-attr]
        if given is None or not set(columns).isdisjoint(given):
            found += [(row, _named(model, names)) for row in _taken(model, rows, columns, is_of_living=is_of_living)]
    return found


def _named(model: type[models.Model], names: Sequence[str]) -> str:
    """The field that the error names. A boolean would not say which value is taken."""
    values = [name for name in names if not isinstance(model._meta.get_field(name), models.BooleanField)]
    return [*names, *values][-1]


def _taken(
    model: type[models.Model], rows: Iterable[models.Model], columns: Sequence[str], *, is_of_living: bool
) -> Iterator[models.Model]:
    wanted = [(row, tuple(getattr(row, column) for column in columns)) for row in rows]
    wanted = [(row, values) for row, values in wanted if None not in values]  # nulls are distinct, as in SQL
    if not wanted:
        return
    asked = {f"{column}__in": {values[place] for _, values in wanted} for place, column in enumerate(columns)}
    stored = model._default_manager.filter(**asked)
    if is_of_living:
        stored = stored.filter(NOT_DELETED)
    holders: dict[tuple[object, ...], object] = {
        tuple(values): pk for pk, *values in stored.values_list("pk", *columns)
    }
    for row, values in wanted:
        if holders.setdefault(values, row.pk) != row.pk:
            yield row
