"""Soft deletion: deleting and restoring rows, and what is unique among rows that are not deleted.

A deletion marks a row and its parts with one moment, so that restoring the row brings back exactly those parts.
"""

from django.db import models
from django.db.models import UniqueConstraint
from django.utils.text import capfirst

from kit.domain.base_model import NOT_DELETED, BaseModel
from kit.errors import Duplicate, NotAllowed
from kit.values.timestamps import now


class ValueTaken(Duplicate):
    """Another row that is not deleted has a value that is to be unique."""

    def __init__(self, row: models.Model, field: str) -> None:
        super().__init__(f"{capfirst(row._meta.verbose_name)} with {field}: {getattr(row, field)} already exists")


class NotDeleted(NotAllowed):
    """Only a deleted row can be restored."""

    def __init__(self, row: BaseModel) -> None:
        super().__init__(f"{row} is not deleted")


class ParentDeleted(NotAllowed):
    """A row cannot be restored below a deleted one."""

    def __init__(self, parent: BaseModel) -> None:
        super().__init__(f"The {parent._meta.verbose_name} '{parent}' is deleted: restore it first")


def unique_together(model: type[models.Model]) -> list[tuple[str, ...]]:
    """The fields, each set by itself, whose values are unique among the model's rows that are not deleted."""
    rules = [rule for rule in model._meta.constraints if isinstance(rule, UniqueConstraint)]
    return [tuple(rule.fields) for rule in rules if rule.condition == NOT_DELETED]


def always_unique(model: type[models.Model]) -> list[tuple[str, ...]]:
    """Like unique_together, but unique among all of the model's rows: of such tables no row is softly deleted."""
    rules = [rule for rule in model._meta.constraints if isinstance(rule, UniqueConstraint)]
    return [tuple(rule.fields) for rule in rules if rule.condition is None]


def is_stored(row: models.Model) -> bool:
    """Whether the row is in its table. Its id does not show that, since ids are generated before the row is saved."""
    return not row._state.adding  # noqa: SLF001 - Django has no public word for it


def mark_stored(row: models.Model, stored: models.Model) -> None:
    """Make an unsaved instance, as model forms create them, stand for the stored row."""
    row.pk = stored.pk
    row._state.adding = False  # noqa: SLF001 - as above


def is_taken(row: models.Model, fields: tuple[str, ...]) -> bool:
    """Whether another row that is not deleted has the same values in these fields; null is like nothing else."""
    columns = {field.name: field.attname for field in row._meta.concrete_fields}
    values = {name: getattr(row, columns[name]) for name in fields}
    if None in values.values():
        return False
    return type(row)._default_manager.filter(NOT_DELETED, **values).exclude(pk=row.pk).exists()


def delete(row: BaseModel, *parts: models.QuerySet[BaseModel]) -> None:
    """Delete the row, and with it its parts that are not deleted yet."""
    row.deleted_at = now()
    for part in parts:
        part.filter(deleted_at=None).update(deleted_at=row.deleted_at, updated_at=row.deleted_at)
    row.save(update_fields=["deleted_at", "updated_at"])


def refuse_taken(row: BaseModel) -> None:
    """Raise ValueTaken if a row that is not deleted has a value that must be unique."""
    for fields in unique_together(type(row)):
        if is_taken(row, fields):
            raise ValueTaken(row, fields[-1])
