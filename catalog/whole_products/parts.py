"""Nested rows: the parts of all rows of a batch, as one batch for the verbs of their own table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.db import models

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.states import Edited, Fault, RowsRefused, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import DomainError

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
    return verbs.state(**{field.name: getattr(state, field.name) for field in fields(verbs.state)} | changes)
