"""Nested rows: the parts of all rows of a batch, as one batch for the verbs of their own table.

A fault in a part names its place: `variants[0].prices[1].amount`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic

from django.db import models

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.domain.missing_row import missing_rows
from kit.editing.states import Edited, Fault, Row, RowsRefused, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import DomainError, InvalidData

Values = dict[str, Any]
"""The values of a part, by name."""


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a nested list. index: of its row in the batch. place: in the list, whose name is `name`."""

    index: int
    name: str
    place: int
    values: Values

    def fault(self, field: str, error: DomainError) -> Fault:
        """A fault of the row that names the field within the list: `prices[1].amount`."""
        return Fault(self.index, f"{self.name}[{self.place}].{field}".removesuffix("."), error)


def parts_of(states: Sequence[RowState], name: str) -> list[Part]:
    """The items of the nested lists of that name, of all states."""
    given = [(index, getattr(state, name)) for index, state in enumerate(states) if is_given(state, name)]
    return [Part(index, name, place, values) for index, parts in given for place, values in enumerate(parts)]


def is_given(state: RowState, name: str) -> bool:
    """Whether the state has the attribute: ABSENT is none, an empty list is."""
    return getattr(state, name) is not ABSENT


def refuse(model: type[models.Model], faults: Sequence[Fault]) -> None:
    """Raise RowsRefused if there are faults."""
    if faults:
        raise RowsRefused(model, faults)


def put(
    write: Callable[..., Sequence[Edited[Any]]],
    parts: Sequence[Part],
    states: Sequence[Any],
    *,
    of: type[models.Model],
    actor: Actor,
    names: Mapping[str, str] | None = None,
) -> Sequence[Edited[Any]]:
    """Write the states of the parts, and name parts in faults. names: of fields in requests, where they differ."""
    known = names or {}
    try:
        return write(actor=actor, states=states) if states else ()
    except RowsRefused as refusal:
        faults = [parts[one.index].fault(known.get(one.field, one.field), one.error) for one in refusal.faults]
        raise RowsRefused(of, faults) from None


def own_state(verbs: RowVerbs[Any], state: RowState, **changes: Any) -> Any:
    """A state of these verbs with the values that the given state has for them, and these changes."""
    return verbs.state(**{one.name: getattr(state, one.name) for one in fields(verbs.state)} | changes)


@dataclass(frozen=True, slots=True)
class Parts:
    """A nested list that replaces the stored rows, such as the places of a zone, or the images of a product.

    name: of the list in states. verbs: of its rows. parent: their column with the `key` of the row they belong to.
    only: further conditions on them. names: what callers call fields, where it differs.
    """

    name: str
    verbs: RowVerbs[Any]
    parent: str
    key: str = "pk"
    only: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def stored(self, parents: Collection[str]) -> dict[str, Any]:
        """The rows of these parents that are not deleted, by id. One statement, if there are any parents."""
        rows = self.verbs.model._default_manager.filter(**{f"{self.parent}__in": parents}, deleted_at=None, **self.only)
        return {row.pk: row for row in rows} if parents else {}

    def trusted(self, actor: Actor) -> Actor:
        """The same actor, who may write these parts, too."""
        meta = self.verbs.model._meta
        for act in ("add", "change", "delete"):
            actor = actor.with_permission(f"{meta.app_label}.{act}_{meta.model_name}")
        return actor


class PartWriter(Generic[Row]):
    """Writes the nested lists of a batch of rows; a list that a state lacks stays as it is.

    A part with an id is a stored one, whose other values stay. Errors name its place: `geo_zones[0].city`.
    """

    def __init__(self, edited: Sequence[Edited[Row]], states: Sequence[Any], *, actor: Actor) -> None:
        """states: of the edited rows, in the same order."""
        self._edited, self._states, self._actor = edited, states, actor
        self._changed: set[int] = set()

    @property
    def edited(self) -> list[Edited[Row]]:
        """The rows, marked as changed where their parts have changed."""
        return [
            replace(one, is_changed=one.is_changed or index in self._changed) for index, one in enumerate(self._edited)
        ]

    def parts(self, kind: Parts) -> list[Part]:
        """The parts that the states have."""
        return parts_of(self._states, kind.name)

    def stored(self, kind: Parts) -> dict[str, Any]:
        """The stored parts, by id, of the rows whose states have the list. One statement, if there are such rows."""
        return kind.stored([key for key, index in self._places(kind).items() if not self._edited[index].is_new])

    def key(self, kind: Parts, part: Part) -> str:
        """What the part's own row is known by to its parts."""
        key: str = getattr(self._edited[part.index].row, kind.key)
        return key

    def refuse(self, faults: Sequence[Fault]) -> None:
        """Raise RowsRefused if there are faults."""
        if faults:
            raise RowsRefused(type(self._edited[0].row), faults)

    def replace(self, kind: Parts, parts: Sequence[Part], stored: Mapping[str, Any]) -> None:
        """Make these the only parts of their rows. Raises RowsRefused."""
        self.delete_others(kind, parts, stored)
        self.put(kind, parts)

    def delete_others(self, kind: Parts, parts: Sequence[Part], stored: Mapping[str, Any]) -> None:
        """Delete the stored parts that are not among these. Raises RowsRefused for ids of no part of the row."""
        places, name = self._places(kind), kind.names.get("id", "id")
        owners = {key: places[getattr(row, kind.parent)] for key, row in stored.items()}
        named = [(part, part.values["id"]) for part in parts if "id" in part.values]
        foreign = [(part, key) for part, key in named if owners.get(key) != part.index]
        self.refuse([part.fault(name, InvalidData(missing_rows(kind.verbs.model, key))) for part, key in foreign])
        if gone := sorted({*stored} - {key for _, key in named}):
            kind.verbs.delete(actor=self._actor, ids=gone)
            self._changed |= {owners[key] for key in gone}

    def put(self, kind: Parts, parts: Sequence[Part]) -> None:
        """Create and change parts. Raises RowsRefused."""
        states = [kind.verbs.state(**part.values, **self._parent(kind, part)) for part in parts]
        if states:
            of = type(self._edited[0].row)
            written = put(kind.verbs.put_inside, parts, states, of=of, actor=self._actor, names=kind.names)
            self._changed |= {part.index for part, one in zip(parts, written, strict=True) if one.is_changed}

    def _places(self, kind: Parts) -> dict[str, int]:
        """The places in the batch of the rows whose states have the list, by their key."""
        keys = [getattr(one.row, kind.key) for one in self._edited]
        given = [is_given(state, kind.name) for state in self._states]
        return {key: index for index, key in enumerate(keys) if given[index] and key}

    def _parent(self, kind: Parts, part: Part) -> dict[str, str]:
        """What a new part belongs to."""
        return {} if "id" in part.values else {kind.parent: self.key(kind, part)}
