"""Rows that belong to others, written as one list of each: the places of a zone, the prices and rules of an option."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.states import Fault, RowsRefused
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.timestamps import now

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Parts:
    """name: of the list. verbs: of its rows. parent: the attribute that holds the owner's id."""

    name: str
    verbs: RowVerbs[Any]
    parent: str

    def stored(self, parents: Collection[str]) -> dict[str, str]:
        """The parents of the parts that are not deleted, by the id of the part."""
        rows = self.verbs.model._default_manager.filter(**{f"{self.parent}__in": parents}, deleted_at=None)
        return dict(rows.values_list("pk", self.parent))

    def replace(
        self, owners: type[models.Model], lists: Mapping[int, tuple[str, Sequence[Values]]], *, actor: Actor
    ) -> set[int]:
        """Make the lists the only parts of their parents, and return the places of those that this changes.

        lists: the parent's id and its parts as states take them, by the owner's place in its batch. A part with an id
        is a stored one, whose other values stay. Who may write the owners may write their parts.
        Raises RowsRefused with the faults of the owners.
        """
        stored = self.stored([parent for parent, _ in lists.values()])
        places = [(index, place) for index, (_, wanted) in lists.items() for place in range(len(wanted))]
        states, faults = [], []
        for index, place in places:
            parent, wanted = lists[index]
            key = wanted[place].get("id")
            if key is not None and stored.get(key) != parent:
                problem = missing(self.verbs.noun.capitalize(), key, field=f"{self.name}[{place}].id")
                faults.append(Fault(index, f"{self.name}[{place}].id", InvalidData(problem)))
            states.append(self.verbs.state(**{self.parent: parent}, **wanted[place]))
        if faults:
            raise RowsRefused(owners, faults)
        gone = [key for key in stored if key not in {state.id for state in states}]
        trusted = self._trusted(actor)
        if gone:
            self.verbs.delete(actor=trusted, ids=gone)
        try:
            edited = self.verbs.put(actor=trusted, states=states) if states else ()
        except RowsRefused as refusal:
            raise RowsRefused(
                owners, [self._of_owner(fault, *places[fault.index]) for fault in refusal.faults]
            ) from None
        changed = {index for (index, _), one in zip(places, edited, strict=True) if one.is_changed}
        return changed | {index for index, (parent, _) in lists.items() if parent in {stored[key] for key in gone}}

    def _trusted(self, actor: Actor) -> Actor:
        meta = self.verbs.model._meta
        for act in ("add", "change", "delete"):
            actor = actor.with_permission(f"{meta.app_label}.{act}_{meta.model_name}")
        return actor

    def _of_owner(self, fault: Fault, index: int, place: int) -> Fault:
        path = f"{self.name}[{place}]"
        fault.error.message = f"{path}: {fault.error.message}"
        return Fault(index, f"{path}.{fault.field}".rstrip("."), fault.error)


def touch(model: type[models.Model], ids: Iterable[str]) -> None:
    """Move `updated_at` of rows whose parts have changed."""
    model._default_manager.filter(pk__in=[*ids]).update(updated_at=now())
