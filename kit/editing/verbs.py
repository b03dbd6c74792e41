"""The verbs of one table, as admin screens, shop files and programs call them.

One declaration says what can be set of a row that staff maintain; the class of its states and its verbs follow from it.
Fields of the shop file do, too: see kit/shop_file/row_fields.py.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import field, make_dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Generic, Protocol

from django.db import transaction

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.locked_rows import locked, require_deletion
from kit.editing.reporting import reported
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Row, RowsRefused, RowState, VersionOutdated


class Put(Protocol):
    """Creates and changes rows: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""

    def __call__(self, *, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[Any]]: ...


class ByIds(Protocol):
    """Deletes or restores rows of the model: all of them, or none."""

    def __call__(self, model: Any, ids: Sequence[str], *, actor: Actor) -> None: ...


class RowVerbs(Generic[Row]):
    """What can be set of the rows of one table, and the verbs that write them.

    columns: columns by attribute, like `region_id`, and many-to-many fields by name, in the order of shop files.
    extras: those of `columns` that the table does not have; `check` or `put` writes them. state: a class of states with
    other defaults than ABSENT.
    lock: locks what must not change, before the rows are locked. check: refuses rows, or gives them further values.
    put: for rows with rules of their own, in the place of `lock` and `check`.
    delete, restore: of kit/editing/deletion.py, or with the table's own rules. Rows can be deleted and restored only
    where they are given.
    writes_batches: whether many rows take as few statements as one, so that programs may send batches of them.
    """

    writes_batches = True

    def __init__(
        self,
        model: type[Row],
        columns: Sequence[str],
        *,
        extras: Sequence[str] = (),
        state: type[RowState] | None = None,
        lock: Callable[[Sequence[Any]], object] | None = None,
        check: Callable[[RowEdits[Row], Sequence[Any]], None] | None = None,
        put: Put | None = None,
        delete: ByIds | None = None,
        restore: ByIds | None = None,
    ) -> None:
        known = {one.attname for one in model._meta.concrete_fields} | {one.name for one in model._meta.many_to_many}
        if unknown := {*columns} - known - {*extras}:
            raise TypeError(f"{model.__name__} has no {', '.join(sorted(unknown))}")
        self.model, self.columns = model, tuple(columns)
        self.state: Any = state or _state_class(model.__name__, self.columns)
        """The class of what `put` takes, a RowState with an attribute for each of `columns`."""
        self._lock, self._check, self._put, self._delete, self._restore = lock, check, put, delete, restore
        self.can_delete, self.can_restore = delete is not None, restore is not None

    def naming(self, names: Mapping[str, str]) -> "RowVerbs[Row]":
        """The same verbs, whose refusals name fields as callers do. names: by field, or by the beginning of one."""
        named = copy(self)
        vars(named)["_put"] = partial(_put_naming, self.put_inside, names, self.model)
        return named

    @property
    def noun(self) -> str:
        """What a row is called, in a sentence."""
        return str(self.model._meta.verbose_name)

    @property
    def nouns(self) -> str:
        """What rows are called, in a sentence."""
        return str(self.model._meta.verbose_name_plural)

    @transaction.atomic
    @reported()
    def put(self, *, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[Row]]:
        """Create and change rows: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
        return self.put_inside(actor=actor, states=states)

    def put_inside(self, *, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[Row]]:
        """Like `put`, without a transaction: for verbs that call others inside their own, and fail as a whole."""
        if self._put is not None:
            return self._put(actor=actor, states=states)
        if self._lock is not None:
            self._lock(states)
        edits = RowEdits(self.model, states, actor=actor)
        if self._check is not None:
            self._check(edits, states)
        return edits.write()

    def create(self, *, actor: Actor, **values: object) -> Row:
        """Create one row. Raises the first fault (InvalidData, ValueTaken, …), Forbidden."""
        return self._put_one(actor, **values)

    def update(self, *, actor: Actor, id: str, **changes: object) -> Row:
        """Change the given columns of one row; metadata is merged. Raises NotFound, the first fault, Forbidden."""
        return self._put_one(actor, id=id, **changes)

    def _put_one(self, actor: Actor, **values: object) -> Row:
        try:
            (edited,) = self.put(actor=actor, states=[self.state(merges_metadata=True, **values)])
        except RowsRefused as refusal:
            raise refusal.faults[0].placed_error() from None
        return edited.row

    @transaction.atomic
    @reported()
    def delete(self, *, actor: Actor, ids: Sequence[str], version: datetime | None = None) -> None:
        """Delete rows: all of them, or none. version: their `updated_at`, as the caller has read it.

        Raises NotFound, VersionOutdated, Forbidden, and what the table's own rules do.
        """
        if self._delete is None:
            raise NotImplementedError(f"Rows of {self.model.__name__} are not deleted here")
        if version is not None:
            require_deletion(actor, self.model)
            changed = (row for row in locked(self.model, ids).values() if getattr(row, "updated_at", None) != version)
            if outdated := next(changed, None):
                raise VersionOutdated(outdated)
        self._delete(self.model, ids, actor=actor)

    @transaction.atomic
    @reported()
    def restore(self, *, actor: Actor, ids: Sequence[str]) -> None:
        """Restore rows: all of them, or none. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
        if self._restore is None:
            raise NotImplementedError(f"Rows of {self.model.__name__} are not restored here")
        self._restore(self.model, ids, actor=actor)


def _put_naming(put: Put, names: Mapping[str, str], model: Any, *, actor: Actor, states: Sequence[Any]) -> Any:
    try:
        return put(actor=actor, states=states)
    except RowsRefused as refusal:
        faults = [replace(fault, field=_named(fault.field, names)) for fault in refusal.faults]
        raise RowsRefused(model, faults) from None


def _named(field: str, names: Mapping[str, str]) -> str:
    """`application_method.target_rules[0].values` for `target_rules[0].values`."""
    beginning = next((name for name in names if field == name or field.startswith(f"{name}[")), None)
    return field if beginning is None else names[beginning] + field[len(beginning) :]


def _state_class(name: str, columns: Sequence[str]) -> type[RowState]:
    attributes = [(column, object, field(default=ABSENT)) for column in columns]
    return make_dataclass(f"{name}State", attributes, bases=(RowState,), frozen=True, slots=True, kw_only=True)
