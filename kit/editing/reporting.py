"""What follows when rows change: `updated_at` of the rows that show them moves, and events report them.

Models declare both (kit/domain/base_model.py). Code that writes such rows calls `report` or `touch` in its transaction.
Within a block of `reported`, all calls take effect together when the outermost block ends.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db import models

from kit.domain.hooks import Wired
from kit.values.timestamps import now

Model = type[models.Model]


class Change(StrEnum):
    """The last part of an event's name. Restoring a row is `created`."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"


_MEANINGS = {Change.CREATED: "created or restored", Change.UPDATED: "changed", Change.DELETED: "deleted"}


@dataclass(frozen=True, slots=True)
class ChangedRows:
    """An event to record. references: the id of the row that each row belongs to, or None, by the id of the row.

    reference: their name in the data, such as `inventory_item_ids`; "" if the model has no `event_reference`.
    """

    event: str
    references: Mapping[str, str | None]
    reference: str


EVENTS = Wired[Callable[[Iterable[ChangedRows]], None]]("what records the events of changed rows")


def event_names(every: Iterable[Model]) -> dict[str, str]:
    """The events of those models that declare a name for them, each with its meaning."""
    named = [(model, name) for model in every if (name := getattr(model, "event_name", ""))]
    return {
        f"{name}.{change}": f"{str(model._meta.verbose_name_plural).capitalize()} were {_MEANINGS[change]}."
        for model, name in sorted(named, key=lambda one: one[1])
        for change in Change
    }


def report(model: Model, change: Change, rows: Iterable[Any]) -> None:
    """Report rows, instances or others with `pk`, that the caller writes or has written."""
    if _is_declared(model):
        with reported() as batch:
            batch.add(model, change, rows)


def touch(model: Model, ids: Iterable[str]) -> None:
    """Report rows that show changed rows: their `updated_at` moves, unless they are themselves written."""
    with reported() as batch:
        batch.touch(model, ids)


@contextmanager
def reported() -> Iterator["_Batch"]:
    """Gather changes: each event names all rows that change until the outermost block ends. Requires a transaction."""
    outer = _current.get()
    if outer is not None:
        yield outer
        return
    batch = _Batch()
    token = _current.set(batch)
    try:
        yield batch
    finally:
        _current.reset(token)
    batch.settle()


class _Batch:
    def __init__(self) -> None:
        self._changes: dict[Model, dict[str, Change]] = defaultdict(dict)
        self._references: dict[str, str] = {}
        self._touched: dict[Model, set[str]] = defaultdict(set)
        self._unfollowed: dict[tuple[Model, str], set[str]] = defaultdict(set)
        """Ids of rows, by the model and the relation to rows that show them, which are still to be found."""

    def add(self, model: Model, change: Change, rows: Iterable[Any]) -> None:
        changes, column = self._changes[model], getattr(model, "event_reference", "")
        for row in rows:
            key = row.pk
            if not (change == Change.UPDATED and changes.get(key) == Change.CREATED):
                changes[key] = change
            if column:
                self._references[key] = getattr(row, column)
            for relation in getattr(model, "touches", ()):
                field = foreign_key(model, relation)
                if field is None:
                    self._unfollowed[model, relation].add(key)
                elif (touched := getattr(row, field.attname)) is not None:
                    self.touch(field.related_model, [touched])
                    break

    def touch(self, model: Model, ids: Iterable[str]) -> None:
        fresh = {*ids} - self._touched[model] - self._changes[model].keys()
        self._touched[model] |= fresh
        for relation in getattr(model, "touches", ()) if fresh else ():
            self._unfollowed[model, relation] |= fresh

    def settle(self) -> None:
        while self._unfollowed:
            (model, relation), ids = self._unfollowed.popitem()
            changed = model._default_manager.filter(**{"pk__in": ids, f"{relation}__isnull": False})
            target: Any = model._meta.get_field(relation.split("__")[0]).related_model
            for name in relation.split("__")[1:]:
                target = target._meta.get_field(name).related_model
            self.touch(target, changed.order_by().values_list(relation, flat=True))
        for model, ids in self._touched.items():
            self._move(model, ids - self._changes.get(model, {}).keys())
        self._record()

    def _move(self, model: Model, ids: set[str]) -> None:
        """One statement, which locks the rows in one order, so that no two deadlock."""
        if ids:
            rows: Any = model._default_manager.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True)
            model._default_manager.filter(pk__in=rows.values("pk")).update(updated_at=now())
        self._changes[model].update(dict.fromkeys(ids, Change.UPDATED))

    def _record(self) -> None:
        events = [event for model in self._changes for event in self._events(model)]
        if events:
            EVENTS.get()(events)

    def _events(self, model: Model) -> Iterator[ChangedRows]:
        name, column = getattr(model, "event_name", ""), getattr(model, "event_reference", "")
        for change in Change if name else ():
            keys = [key for key, one in self._changes[model].items() if one == change]
            if keys:
                references = {key: self._references.get(key) for key in keys}
                yield ChangedRows(f"{name}.{change}", references, column and f"{column}s")


def _is_declared(model: Model) -> bool:
    return bool(getattr(model, "event_name", "") or getattr(model, "touches", ()))


def foreign_key(model: Model, relation: str) -> Any:
    """The foreign key of the relation, if the row itself has one."""
    field = None if "__" in relation else model._meta.get_field(relation)
    return field if isinstance(field, models.ForeignKey) else None


_current: ContextVar[_Batch | None] = ContextVar("reported", default=None)
