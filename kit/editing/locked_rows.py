"""The rows of a batch, locked."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db.models import Model, QuerySet

from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.domain.missing_row import missing_rows
from kit.domain.soft_deletion import ParentDeleted
from kit.editing.states import Row, RowState
from kit.errors import NotFound
from kit.values.text import is_storable


def locked(model: type[Row], ids: Collection[str], *, deleted: bool = False) -> dict[str, Row]:
    """The rows with these ids that are not deleted, locked in one order; with `deleted`, also those that are.

    Raises NotFound if one is missing.
    """
    if not ids:
        return {}
    rows = model._default_manager.filter(pk__in=[key for key in ids if is_storable(key)])
    if not deleted and hasattr(model, "deleted_at"):
        rows = rows.filter(deleted_at=None)
    by_id = {str(row.pk): row for row in lock_rows(rows)}
    unknown = sorted({*ids} - by_id.keys())
    if unknown:
        raise NotFound(missing_rows(model, *unknown))
    return by_id


def require_rows(rows: QuerySet[Any], ids: Collection[str]) -> None:
    """Raises NotFound unless the rows that are not deleted have all of these ids. One statement, if there are any."""
    known = rows.filter(pk__in=[key for key in ids if is_storable(key)], deleted_at=None).values_list("pk", flat=True)
    if unknown := sorted({*ids} - {*known}):
        raise NotFound(missing_rows(rows.model, *unknown))


def require_deletion(actor: Actor, model: type[Model]) -> None:
    """Raises Forbidden for who may neither delete rows of the model nor restore them."""
    actor.require(f"{model._meta.app_label}.delete_{model._meta.model_name}")


def locked_parents(
    model: type[Row], ids: Collection[str], field: str, *, of: type[BaseModel], actor: Actor
) -> list[Row]:
    """The rows that the rows of `of` with these ids name in that field, locked; ids that no row has are left out.

    For deletions and restorations of parts that are compared with each other. Call it before the parts are locked.
    Raises Forbidden, before it locks anything.
    """
    require_deletion(actor, of)
    parts = of._default_manager.filter(pk__in=[key for key in ids if is_storable(key)])
    return lock_rows(model._default_manager.filter(pk__in=parts.values(field)))


def require_parents(parents: Iterable[BaseModel]) -> None:
    """For restorations. Raises ParentDeleted for the first one that is deleted."""
    for parent in parents:
        if parent.deleted_at is not None:
            raise ParentDeleted(parent)


def lock_parents(
    model: type[BaseModel], states: Sequence[RowState], field: str, *, of: type[BaseModel] | None = None
) -> None:
    """Lock the rows that the states name in that field, so that none is deleted, with its parts, before they are saved.

    Call it before the parts are locked: deletions lock in that order, too. References to rows that keep what refers to
    them when they are deleted, such as a product's collection, need no lock: it makes no difference which comes first.

    of: the model of the states, if rows of one parent are compared with each other: the parents of its stored rows are
    locked, too.
    """
    named = {key for state in states if isinstance(key := getattr(state, field), str) and is_storable(key)}
    stored = [state.id for state in states if state.id is not None and is_storable(state.id)]
    if of is not None and stored:
        named |= {*of._default_manager.filter(pk__in=stored).values_list(field, flat=True)}
    if named:
        lock_rows(model._default_manager.filter(pk__in=named).only("pk"))
