"""Adding rows to groups and removing them, any number at once: products in categories, customers in groups."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction

from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.batches import naming
from kit.editing.locked_rows import locked, require_rows
from kit.editing.reporting import reported
from kit.editing.states import Row
from kit.editing.verbs import RowVerbs

Groups = Mapping[str, Sequence[str]]
"""Ids by the relation of the rows that refers to them, such as `tags`, or `collection` for one that can have one."""


@dataclass(frozen=True, slots=True)
class Regrouping:
    """add: the groups that the rows are added to. remove: those that they are removed from."""

    add: Groups
    remove: Groups

    def of(self, name: str) -> tuple[Sequence[str], Sequence[str]]:
        """The groups of that relation."""
        return self.add.get(name, ()), self.remove.get(name, ())


@transaction.atomic
def regroup(
    verbs: RowVerbs[Row], ids: Collection[str], how: Regrouping, *, actor: Actor
) -> tuple[list[Row], list[Row]]:
    """Returns the rows that have changed, and those that needed no change. Deleted rows are left out.

    The number of statements does not depend on that of the rows, up to 1,000 of them.
    Raises RowsRefused, Forbidden.
    """
    model = verbs.model
    rows = lock_rows(model._default_manager.filter(pk__in=ids, deleted_at=None))
    names = {**how.add, **how.remove}
    wanted = {_attribute(model, name): _groups_by_row(model, name, rows, how) for name in names}
    states = [
        verbs.state(id=row.pk, **{name: groups[row.pk] for name, groups in wanted.items() if row.pk in groups})
        for row in rows
    ]
    edited = verbs.put(actor=actor, states=states) if states else ()
    return [one.row for one in edited if one.is_changed], [one.row for one in edited if not one.is_changed]


@dataclass(frozen=True, slots=True)
class Members:
    """A many-to-many relation, or a foreign key, that `{add, remove}` changes: products of a collection.

    verbs: of the rows that have the `relation`. of_row: whether groups are added to one row; otherwise, rows are added
        to one group. about: what a change does, in a sentence. path: of the route, if it is not named like the members.
    """

    verbs: RowVerbs[Any]
    relation: str
    about: str
    of_row: bool = False
    path: str = ""

    @property
    def permission(self) -> str:
        """The permission that a change requires: to change the rows."""
        meta = self.verbs.model._meta
        return f"{meta.app_label}.change_{meta.model_name}"

    @transaction.atomic
    @reported()
    def change(self, *, actor: Actor, id: str, add: Collection[str] = (), remove: Collection[str] = ()) -> None:
        """Add and remove members. Raises NotFound, InvalidData for unknown ones, RowsRefused, Forbidden."""
        groups: Any = self.verbs.model._meta.get_field(self.relation).related_model
        if self.of_row:
            locked(self.verbs.model, [id])
        else:
            require_rows(groups._default_manager.all(), [id])
        members: Any = groups if self.of_row else self.verbs.model
        for field, ids in (("add", add), ("remove", remove)):
            with naming(field):
                require_rows(members._default_manager.all(), ids)
        if self.of_row:
            how = Regrouping(add={self.relation: [*add]}, remove={self.relation: [*remove]})
            regroup(self.verbs, [id], how, actor=actor)
        else:
            if add and remove:  # all in one order: who adds what another removes would otherwise wait for them for ever
                rows = self.verbs.model._default_manager.filter(pk__in=[*add, *remove], deleted_at=None)
                lock_rows(rows.only("pk"))
            group = {self.relation: [id]}
            regroup(self.verbs, add, Regrouping(add=group, remove={}), actor=actor)
            regroup(self.verbs, remove, Regrouping(add={}, remove=group), actor=actor)


def _groups_by_row(model: type[Row], name: str, rows: Sequence[Row], how: Regrouping) -> Mapping[str, Any]:
    """The groups that each row will have. Rows of a foreign key that keep their group are left out: it may be deleted.

    One statement for a many-to-many relation.
    """
    added, removed = how.of(name)
    field = model._meta.get_field(name)
    if not field.many_to_many:
        present = {row.pk: getattr(row, _attribute(model, name)) for row in rows}
        kept = {key: None if one in removed else one for key, one in present.items()}
        groups = {key: added[0] if added else one for key, one in kept.items()}
        return {key: group for key, group in groups.items() if group != present[key]}
    found: dict[str, set[str]] = {row.pk: set() for row in rows}
    for key, group in model._default_manager.filter(pk__in=found, **{f"{name}__isnull": False}).values_list("pk", name):
        found[key].add(group)
    return {key: (groups | {*added}) - {*removed} for key, groups in found.items()}


def _attribute(model: type[models.Model], name: str) -> str:
    """What states call the relation."""
    field = model._meta.get_field(name)
    return name if field.many_to_many else f"{name}_id"
