"""The verbs of one table, as admin screens and shop files call them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kit.domain.actor import Actor
from kit.editing.states import Edited, RowState


class Put(Protocol):
    """Creates and changes rows: all of them, or none."""

    def __call__(self, *, actor: Actor, states: Sequence[Any]) -> Sequence[Edited[Any]]: ...


class ByIds(Protocol):
    """Deletes or restores rows: all of them, or none."""

    def __call__(self, *, actor: Actor, ids: Sequence[str]) -> None: ...


def _impossible(*, actor: Actor, ids: Sequence[str]) -> None:
    raise NotImplementedError("These rows cannot be deleted")


@dataclass(frozen=True, slots=True)
class RowVerbs:
    """state: the class of what `put` takes."""

    state: type[RowState]
    put: Put
    delete: ByIds = _impossible
    restore: ByIds = _impossible
