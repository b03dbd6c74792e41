"""Soft-deleting and restoring rows of one table, any number at once, with what belongs to them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db import IntegrityError, models, transaction
from django.db.models import F

from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.domain.soft_deletion import NotDeleted, ValueTaken
from kit.editing.locked_rows import locked, require_deletion
from kit.editing.reporting import Change, report, reported
from kit.editing.unique_values import taken
from kit.values.timestamps import now

Part = tuple[type[BaseModel], str]
"""A table whose rows are deleted with others, and the lookup that leads to these: `(GeoZone, "service_zone")`."""


def delete_rows(
    model: type[BaseModel],
    ids: Sequence[str],
    *,
    actor: Actor,
    parts: Sequence[Part] = (),
    check: Callable[[list[Any]], None] | None = None,
) -> None:
    """Set `deleted_at` of the rows, and of those of their parts that are not deleted, to one timestamp.

    check: of the locked rows, which raises what forbids it. Raises NotFound (also for a deleted row), Forbidden.
    """
    require_deletion(actor, model)
    rows, moment = locked(model, ids), now()
    if check is not None:
        check([*rows.values()])
    keys = [*rows]
    with reported():
        for part, path in parts:
            remaining = part._default_manager.filter(**{f"{path}__in": keys}, deleted_at=None)
            if part.event_name:
                report(part, Change.DELETED, list(remaining))
            remaining.update(deleted_at=moment, updated_at=moment)
        model._default_manager.filter(pk__in=keys).update(deleted_at=moment, updated_at=moment)
        report(model, Change.DELETED, rows.values())


def restore_rows(model: type[BaseModel], ids: Sequence[str], *, actor: Actor, parts: Sequence[Part] = ()) -> None:
    """Restore the rows and what was deleted with each of them; what was deleted before stays deleted.

    Raises NotFound, NotDeleted, ValueTaken (another row has taken a unique value), Forbidden.
    """
    require_deletion(actor, model)
    rows = locked(model, ids, deleted=True)
    for row in rows.values():
        if row.deleted_at is None:
            raise NotDeleted(row)
    gone: list[tuple[type[BaseModel], Sequence[BaseModel]]] = [
        (part, list(part._default_manager.filter(**{f"{path}__in": [*rows]}, deleted_at=F(f"{path}__deleted_at"))))
        for part, path in parts
    ]
    gone.append((model, [*rows.values()]))
    _refuse_taken(gone)
    try:
        with transaction.atomic(), reported():
            for table, of_table in gone:
                _unmark(table, of_table)
    except IntegrityError:  # another transaction has taken a value since the check
        _refuse_taken(gone)
        raise


def remove_rows(model: type[models.Model], ids: Sequence[str], *, actor: Actor) -> None:
    """Delete the rows for good, such as links and rules, which are unique per parent. Raises NotFound, Forbidden."""
    require_deletion(actor, model)
    rows = locked(model, ids)
    model._default_manager.filter(pk__in=[*rows]).delete()
    report(model, Change.DELETED, rows.values())


def _unmark(model: type[BaseModel], rows: Sequence[BaseModel]) -> None:
    keys = [row.pk for row in rows]
    if keys:
        model._default_manager.filter(pk__in=keys).update(deleted_at=None, updated_at=now())
        report(model, Change.CREATED, rows)


def _refuse_taken(gone: Iterable[tuple[type[BaseModel], Sequence[BaseModel]]]) -> None:
    for model, rows in gone:
        for row, field in taken(model, rows):
            raise ValueTaken(row, field)
