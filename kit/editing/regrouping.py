"""Adding rows to groups and removing them, any number at once: products in categories, customers in groups."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction

from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.locked_rows import locked
from kit.editing.reporting import reported
from kit.editing.states import Row
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData, NotFound
from kit.values.text import is_storable

Groups = Mapping[str, Sequence[str]]
"""Ids by the relation of the rows that refers to them, such as `tags`, or `collection` for one that can have one."""


@dataclass(frozen=True, slots=True)
class Regrouping:
    """put_in: the groups that the rows are added to. take_out: those that they are removed from."""

    put_in: Groups
    take_out: Groups

    def of(self, name: str) -> tuple[Sequence[str], Sequence[str]]:
        """The groups of that relation."""
        return self.put_in.get(name, ()), self.take_out.get(name, ())


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
    names = {**how.put_in, **how.take_out}
    wanted = {_attribute(model, name): _groups_by_row(model, name, rows, how) for name in names}
    states = [
        verbs.state(id=row.pk, **{name: groups[row.pk] for name, groups in wanted.items() if row.pk in groups})
        for row in rows
    ]
    edited = verbs.put(actor=actor, states=states) if states else ()
    return [one.row for one in edited if one.is_changed], [one.row for one in edited if not one.is_changed]


@dataclass(frozen=True, slots=True)
class Members:
    """Members of something that are added and removed by their ids.

    verbs: of the rows that have groups, in `relation`. of_row: whether a row's groups are the members, not the rows of
        a group. about: what a change does, in a sentence. path: of its route, where that is not its name.
    """

    verbs: RowVerbs[Any]
    relation: str
    about: str
    of_row: bool = False
    path: str = ""

    @property
    def permission(self) -> str:
        """What a change takes: to change the rows."""
        meta = self.verbs.model._meta
        return f"{meta.app_label}.change_{meta.model_name}"

    @transaction.atomic
    @reported()
    def change(self, *, actor: Actor, id: str, add: Collection[str] = (), remove: Collection[str] = ()) -> None:
        """Add and remove members. Raises NotFound, InvalidData for unknown ones, RowsRefused, Forbidden."""
        groups: Any = self.verbs.model._meta.get_field(self.relation).related_model
        if self.of_row:
            locked(self.verbs.model, [id])
        elif not (is_storable(id) and groups._default_manager.filter(pk=id, deleted_at=None).exists()):
            raise NotFound(missing(str(groups._meta.verbose_name).capitalize(), id))
        _require_known(groups if self.of_row else self.verbs.model, add=add, remove=remove)
        put_in, take_out = ({self.relation: [*ids] if self.of_row else [id]} for ids in (add, remove))
        if self.of_row:
            regroup(self.verbs, [id], Regrouping(put_in=put_in, take_out=take_out), actor=actor)
        else:
            if add and remove:  # all in one order: who adds what another removes would otherwise wait for them for ever
                rows = self.verbs.model._default_manager.filter(pk__in=[*add, *remove], deleted_at=None)
                lock_rows(rows.only("pk"))
            regroup(self.verbs, add, Regrouping(put_in=put_in, take_out={}), actor=actor)
            regroup(self.verbs, remove, Regrouping(put_in={}, take_out=take_out), actor=actor)


def _require_known(model: Any, **given: Collection[str]) -> None:
    """Raise InvalidData, which names the field, for ids without a row."""
    for field, ids in given.items():
        keys = [key for key in ids if is_storable(key)]
        known = model._default_manager.filter(pk__in=keys, deleted_at=None).values_list("pk", flat=True)
        if unknown := sorted({*ids} - {*known} if ids else ()):
            raise InvalidData(missing(str(model._meta.verbose_name).capitalize(), *unknown, field=field))


def _groups_by_row(model: type[Row], name: str, rows: Sequence[Row], how: Regrouping) -> Mapping[str, Any]:
    """The groups that each row will have. Rows of a foreign key that keep their group are left out: it may be deleted.

    One statement for a many-to-many relation.
    """
    put_in, take_out = how.of(name)
    field = model._meta.get_field(name)
    if not field.many_to_many:
        present = {row.pk: getattr(row, _attribute(model, name)) for row in rows}
        kept = {key: None if one in take_out else one for key, one in present.items()}
        groups = {key: put_in[0] if put_in else one for key, one in kept.items()}
        return {key: group for key, group in groups.items() if group != present[key]}
    found: dict[str, set[str]] = {row.pk: set() for row in rows}
    for key, group in model._default_manager.filter(pk__in=found, **{f"{name}__isnull": False}).values_list("pk", name):
        found[key].add(group)
    return {key: (groups | {*put_in}) - {*take_out} for key, groups in found.items()}


def _attribute(model: type[models.Model], name: str) -> str:
    """What states call the relation."""
    field = model._meta.get_field(name)
    return name if field.many_to_many else f"{name}_id"
