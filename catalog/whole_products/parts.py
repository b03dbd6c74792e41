"""The parts of a batch of rows, as one batch for the verbs of their own table."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import models

from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.states import Edited, Fault, RowsRefused, RowState
from kit.editing.verbs import Put, RowVerbs
from kit.errors import DomainError

Values = dict[str, Any]
"""What a caller sends of a part, by name."""


@dataclass(frozen=True, slots=True)
class Part:
    """The values of a part. index: the place of its whole in the batch. place: its place among parts of that name."""

    index: int
    name: str
    place: int
    values: Values


def parts_of(states: Sequence[RowState], name: str) -> list[Part]:
    """The parts of that name, of all states that have any."""
    given = [(index, getattr(state, name)) for index, state in enumerate(states)]
    return [
        Part(index, name, place, values)
        for index, parts in given
        if parts is not ABSENT
        for place, values in enumerate(parts)
    ]


def is_given(state: RowState, name: str) -> bool:
    """Whether the state has parts of that name, be it an empty list."""
    return getattr(state, name) is not ABSENT


def refuse(model: type[models.Model], faults: Sequence[tuple[Part, str, DomainError]]) -> None:
    """Raise RowsRefused if there are faults: each of a part of rows of the model, and of that field of it."""
    if faults:
        paths = [f"{part.name}[{part.place}].{field}".removesuffix(".") for part, field, _ in faults]
        raise RowsRefused(
            model, [Fault(part.index, path, error) for (part, _, error), path in zip(faults, paths, strict=True)]
        )


@contextmanager
def placed(model: type[models.Model], parts: Sequence[Part], names: Mapping[str, str]) -> Iterator[None]:
    """RowsRefused for these parts is raised for rows of the model. names: of fields that callers call otherwise."""
    try:
        yield
    except RowsRefused as refusal:
        refuse(model, [(parts[one.index], names.get(one.field, one.field), one.error) for one in refusal.faults])


def put(
    write: Put,
    parts: Sequence[Part],
    states: Sequence[Any],
    *,
    of: type[models.Model],
    actor: Actor,
    names: Mapping[str, str] | None = None,
) -> Sequence[Edited[Any]]:
    """Write the states of the parts, if there are any. names: of fields that callers call otherwise."""
    with placed(of, parts, names or {}):
        return write(actor=actor, states=states) if states else ()


def columns_of(verbs: RowVerbs[Any], state: RowState) -> dict[str, Any]:
    """The state's values that these verbs write, too, with what identifies its row."""
    identity = {
        "id": state.id,
        "version": state.version,
        "new_id": state.new_id,
        "created_at": state.created_at,
        "merges_metadata": state.merges_metadata,
    }
    return identity | {name: value for name, value in state.given_values().items() if name in verbs.columns}
