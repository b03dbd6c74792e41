"""Creating and changing rows of one table, any number at once."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic

from django.db import IntegrityError, models, transaction

from kit.domain.actor import Actor
from kit.domain.missing_row import missing_rows
from kit.domain.soft_deletion import ValueTaken
from kit.editing.changes import Changes
from kit.editing.children import Links
from kit.editing.columns import problems
from kit.editing.locked_rows import locked
from kit.editing.reporting import touch
from kit.editing.states import Edited, Fault, Row, RowsRefused, RowState, VersionOutdated
from kit.editing.unique_values import taken
from kit.errors import DomainError, InvalidData
from kit.values import metadata

_METADATA = "metadata"


class RowEdits(Generic[Row]):
    """Locks the stored rows and applies the states to them; `write` saves the difference.

    A verb checks its own rules in between: it reads `rows` (in the order of the states), and calls `change` and
    `refuse`. The verb itself writes what a state has besides columns and many-to-many fields.

    The number of statements does not depend on that of the rows, up to 1,000 of them.
    """

    def __init__(self, model: type[Row], states: Sequence[RowState], *, actor: Actor) -> None:
        """Raises Forbidden, NotFound (also for deleted rows)."""
        self.model = model
        self.rows: list[Row] = []
        self.faults: list[Fault] = []
        links = {field.name for field in model._meta.many_to_many}
        self._noted: set[str] = set()
        self._columns = {field.attname for field in model._meta.concrete_fields}
        self._changes = Changes(model)
        self._given = [state.given_values() for state in states]
        self._links = {name for given in self._given for name in given if name in links}
        self._require(actor, states)
        stored = locked(model, [state.id for state in states if state.id is not None])
        self._is_new = [state.id is None for state in states]
        self._refuse_repeated(states)
        self._is_changed = [*self._is_new]
        for index, state in enumerate(states):
            self._put(index, state, stored)
        self._check_references()

    def refuse(self, index: int, field: str, error: DomainError) -> None:
        """Add a fault, so that `write` raises RowsRefused."""
        self.faults.append(Fault(index, field, error))

    def is_refused(self, index: int) -> bool:
        """Whether the state has a fault."""
        return any(fault.index == index for fault in self.faults)

    def change(self, index: int, values: Mapping[str, object]) -> None:
        """Give the row further values, by attribute."""
        if self._changes.change(self.rows[index], values) and not self._is_new[index]:
            self._is_changed[index] = True

    def replaced(self, name: str) -> Mapping[str, Any]:
        """The stored values of the attribute that were changed, by the id of the row."""
        return self._changes.replaced(name)

    def note_change(self, index: int) -> None:
        """Report the row as changed, because something that belongs to it has changed: its `updated_at` moves, too."""
        self._is_changed[index] = True
        self._noted.add(self.rows[index].pk)

    def write(self) -> list[Edited[Row]]:
        """Save the changes. Raises RowsRefused with all faults; nothing is written then."""
        self._refuse_taken()
        if self.faults:
            raise RowsRefused(self.model, self.faults)
        try:
            with transaction.atomic():
                self._changes.write()
        except IntegrityError:  # another transaction has taken a value since the check
            self._refuse_taken()
            if not self.faults:
                raise
            raise RowsRefused(self.model, self.faults) from None
        for name in sorted(self._links):
            self._write_links(name)
        touch(self.model, self._noted)
        return [Edited(*each) for each in zip(self.rows, self._is_new, self._is_changed, strict=True)]

    def _require(self, actor: Actor, states: Iterable[RowState]) -> None:
        for verb in sorted({"add" if state.id is None else "change" for state in states}):
            actor.require(f"{self.model._meta.app_label}.{verb}_{self.model._meta.model_name}")

    def _refuse_repeated(self, states: Sequence[RowState]) -> None:
        seen: set[str] = set()
        for index, key in enumerate(state.id for state in states):
            if key is not None and key in seen:
                noun = str(self.model._meta.verbose_name).capitalize()
                self.refuse(index, "", InvalidData(f"{noun} with id: {key} is named twice"))
            seen |= {key} if key is not None else set()

    def _put(self, index: int, state: RowState, stored: Mapping[str, Row]) -> None:
        values = {name: value for name, value in self._given[index].items() if name in self._columns}
        if state.merges_metadata and _METADATA in values:
            self._merge_metadata(index, values, stored[state.id] if state.id is not None else None)
        if state.id is None:
            identity = {"id": state.new_id, "created_at": state.created_at}
            row = self._changes.make(**{name: one for name, one in identity.items() if one is not None}, **values)
            checked = {field.attname for field in self.model._meta.concrete_fields if field.editable}
        else:
            row, checked = stored[state.id], {*values}
            if state.version is not None and state.version != row.updated_at:  # type: ignore[attr-defined]
                self.refuse(index, "", VersionOutdated(row))
            self._is_changed[index] = self._changes.change(row, values)
        self.rows.append(row)
        for field, problem in problems(row, checked):
            self.refuse(index, field, InvalidData(problem))

    def _merge_metadata(self, index: int, values: dict[str, Any], row: Row | None) -> None:
        try:
            before = None if row is None else getattr(row, _METADATA)
            values[_METADATA] = metadata.merged(before, metadata.checked(values[_METADATA]))
        except InvalidData as refusal:
            self.refuse(index, _METADATA, refusal)
            del values[_METADATA]

    def _check_references(self) -> None:
        """Refuse references to unknown rows, and new ones to deleted rows; those that exist can stay."""
        for field in self.model._meta.concrete_fields:
            if isinstance(field, models.ForeignKey):
                self._check_named(field.name, field.attname, field.remote_field.model)
        for many in self.model._meta.many_to_many:
            if many.name in self._links:
                self._check_named(many.name, many.name, many.remote_field.model, links=getattr(self.model, many.name))

    def _check_named(self, field: str, name: str, target: Any, links: Any = None) -> None:
        named = {index: _ids(given[name]) for index, given in enumerate(self._given) if name in given}
        ids = {key for keys in named.values() for key in keys}
        rows = target._default_manager.filter(pk__in=ids).values_list("pk", "deleted_at") if ids else ()
        deletions: dict[str, object] = dict(rows)
        deleted = {key for key, moment in deletions.items() if moment is not None}
        linked = self._linked(links, deleted) if links is not None and deleted else set()
        for index, keys in named.items():
            kept = {key for key in keys & deleted if (self.rows[index].pk, key) in linked}
            unknown = sorted(key for key in keys - kept if key not in deletions or key in deleted)
            if unknown:
                self.refuse(index, field, InvalidData(missing_rows(target, *unknown, field=name)))
            if links is not None:
                self._given[index][name] = keys - kept  # Links leaves links to deleted rows alone

    def _linked(self, links: Any, targets: set[str]) -> set[tuple[str, str]]:
        """The links of the rows to these targets."""
        source, target = f"{links.field.m2m_field_name()}_id", f"{links.field.m2m_reverse_field_name()}_id"
        asked = {f"{source}__in": [row.pk for row in self.rows], f"{target}__in": targets}
        return {*links.through._default_manager.filter(**asked).values_list(source, target)}

    def _refuse_taken(self) -> None:
        given = None if any(self._is_new) else {name for given in self._given for name in given}
        places = {row.pk: index for index, row in enumerate(self.rows)}
        for row, field in taken(self.model, self.rows, given=given):
            self.refuse(places[row.pk], field, ValueTaken(row, field))

    def _write_links(self, name: str) -> None:
        links = Links(
            self.model, name, [row.pk for row, is_new in zip(self.rows, self._is_new, strict=True) if not is_new]
        )
        for index, given in enumerate(self._given):
            if name in given:
                self._is_changed[index] |= links.link(self.rows[index].pk, _ids(given[name]))
        links.write()


def _ids(value: Any) -> set[str]:
    return set() if value is None else {value} if isinstance(value, str) else {*value}
