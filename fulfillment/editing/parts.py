"""Nested lists that replace the stored rows: the places of a zone, the prices and rules of a shipping option."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from catalog.whole_products.parts import parts_of, put, refuse
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.states import Edited, Row
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData


@dataclass(frozen=True, slots=True)
class Parts:
    """name: of the list in states. verbs: of its rows. parent: the attribute that holds `key` of the owner."""

    name: str
    verbs: RowVerbs[Any]
    parent: str
    key: str = "pk"

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
            if getattr(state, self.name) is not ABSENT
        }
        if not owners:
            return [*edited]
        parents, model = {index: key for key, index in owners.items()}, type(edited[0].row)
        parts, stored = parts_of(states, self.name), self.stored([*owners])
        named = [(part, part.values["id"]) for part in parts if "id" in part.values]
        foreign = [(part, key) for part, key in named if stored.get(key) != parents[part.index]]
        noun, trusted = self.verbs.noun.capitalize(), self.trusted(actor)
        refuse(model, [part.fault("id", InvalidData(missing(noun, key))) for part, key in foreign])
        if gone := [key for key in stored if key not in {key for _, key in named}]:
            self.verbs.delete(actor=trusted, ids=gone)
        wanted = [self.verbs.state(**{self.parent: parents[part.index]}, **part.values) for part in parts]
        written = put(self.verbs.put, parts, wanted, of=model, actor=trusted)
        changed = {part.index for part, one in zip(parts, written, strict=True) if one.is_changed}
        changed |= {owners[stored[key]] for key in gone}
        return [replace(one, is_changed=one.is_changed or index in changed) for index, one in enumerate(edited)]

    def trusted(self, actor: Actor) -> Actor:
        """The same, who may write parts, too."""
        meta = self.verbs.model._meta
        for act in ("add", "change", "delete"):
            actor = actor.with_permission(f"{meta.app_label}.{act}_{meta.model_name}")
        return actor
