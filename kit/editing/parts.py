"""Nested rows: the parts of all rows of a batch, as one batch for the verbs of their own table.

A fault in a part names its place: `variants[0].prices[1].amount`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from django.db import models

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.states import Edited, Fault, Row, RowsRefused, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import DomainError, InvalidData

Values = dict[str, Any]
"""The values of a part, by name."""


@dataclass(frozen=True, slots=True)
class Part:
    """The values of a part. index: the place of its whole in the batch. place: its place among parts of that name."""

    index: int
    name: str
    place: int
    values: Values

    def fault(self, field: str, error: DomainError) -> Fault:
        """The fault of that field of the part, as one of the whole: `prices[1].amount`."""
        return Fault(self.index, f"{self.name}[{self.place}].{field}".removesuffix("."), error)


def parts_of(states: Sequence[RowState], name: str) -> list[Part]:
    """The parts of that name, of all states that have any."""
    given = [(index, getattr(state, name)) for index, state in enumerate(states) if is_given(state, name)]
    return [Part(index, name, place, values) for index, parts in given for place, values in enumerate(parts)]


def is_given(state: RowState, name: str) -> bool:
    """Whether the state has a value of that name, be it an empty list."""
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
    """Write the states of the parts, if there are any. names: what callers call fields, where it differs."""
    known = names or {}
    try:
        return write(actor=actor, states=states) if states else ()
    except RowsRefused as refusal:
        faults = [parts[one.index].fault(known.get(one.field, one.field), one.error) for one in refusal.faults]
        raise RowsRefused(of, faults) from None


def own_state(verbs: RowVerbs[Any], state: RowState, **changes: Any) -> Any:
    """The state for these verbs, with what they have of the given one, and with these changes."""
    return verbs.state(**{one.name: getattr(state, one.name) for one in fields(verbs.state)} | changes)


@dataclass(frozen=True, slots=True)
class Parts:
    """Nested lists that replace the stored rows: the places of a zone, the prices and rules of a shipping option.

    name: of the list in states. verbs: of its rows. parent: the attribute that holds `key` of the owner. names: what
        callers call fields, where it differs.
    """

    name: str
    verbs: RowVerbs[Any]
    parent: str
    key: str = "pk"
    names: Mapping[str, str] = field(default_factory=dict)

    def stored(self, parents: Collection[str]) -> dict[str, str]:
        """The parents of the parts that are not deleted, by the id of the part."""
        rows = self.verbs.model._default_manager.filter(**{f"{self.parent}__in": parents}, deleted_at=None)
        return dict(rows.values_list("pk", self.parent)) if parents else {}

    def put(self, edited: Sequence[Edited[Row]], states: Sequence[Any], *, actor: Actor) -> list[Edited[Row]]:
        """Make the lists that states have the only parts of their rows. Returns the rows, marked if that changes them.

        A part with an id is a stored one, whose other values stay. Who may write the rows may write their parts.
        Raises RowsRefused, whose faults name the place: `geo_zones[0].city`.
        """
        owners = {
            getattr(one.row, self.key): index
            for index, (one, state) in enumerate(zip(edited, states, strict=True))
            if is_given(state, self.name)
        }
        if not owners:
            return [*edited]
        parents, model = {index: key for key, index in owners.items()}, type(edited[0].row)
        parts, stored = parts_of(states, self.name), self.stored([*owners])
        named = [(part, part.values["id"]) for part in parts if "id" in part.values]
        foreign = [(part, key) for part, key in named if stored.get(key) != parents[part.index]]
        noun, trusted = self.verbs.noun.capitalize(), self.trusted(actor)
        refuse(model, [part.fault("id", InvalidData(missing(noun, key))) for part, key in foreign])
        if gone := sorted({*stored} - {key for _, key in named}):
            self.verbs.delete(actor=trusted, ids=gone)
        wanted = [self.verbs.state(**{self.parent: parents[part.index]}, **part.values) for part in parts]
        written = put(self.verbs.put, parts, wanted, of=model, actor=trusted, names=self.names)
        changed = {part.index for part, one in zip(parts, written, strict=True) if one.is_changed}
        changed |= {owners[stored[key]] for key in gone}
        return [replace(one, is_changed=one.is_changed or index in changed) for index, one in enumerate(edited)]

    def trusted(self, actor: Actor) -> Actor:
        """The same, who may write parts, too."""
        meta = self.verbs.model._meta
        for act in ("add", "change", "delete"):
            actor = actor.with_permission(f"{meta.app_label}.{act}_{meta.model_name}")
        return actor
