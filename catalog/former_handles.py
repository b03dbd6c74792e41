"""The handles that products, collections and categories had before, by which storefronts still find them.

Why: docs/decisions/catalogue.md#former-handles-keep-leading-to-their-row.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import F, Model

from catalog.models.former_handles import FORMER
from kit.editing.changes import BATCH


def former_handles(owners: type[Model], ids: Collection[str]) -> Mapping[str, list[str]]:
    """The former handles of the rows with these ids, sorted. One statement."""
    found: dict[str, list[str]] = defaultdict(list)
    rows = _table(owners).filter(owner__in=ids).order_by("handle")
    for owner, handle in rows.values_list("owner", "handle") if ids else ():
        found[owner].append(handle)
    return found


def remember(owners: type[Model], handles: Mapping[str, str], *, hidden: Collection[str] = ()) -> None:
    """Remember the handles that rows had until now, by id. None is the former handle of the row that has it.

    hidden: rows that the store did not show. What they had is remembered, but is not taken from another row.
    """
    if handles:
        shown = {key: [handle] for key, handle in handles.items() if key not in hidden}
        others = {key: [handle] for key, handle in handles.items() if key in hidden}
        _write(owners, others, ignore_conflicts=True)
        _write(owners, shown, update_conflicts=True, unique_fields=["handle"], update_fields=["owner"])
        _table(owners).filter(owner__in=[*handles], handle=F("owner__handle")).delete()


def replace(wanted: Mapping[Any, Iterable[str]]) -> set[str]:
    """Make these the former handles of the rows, also if other rows have had them. Returns the ids of changed rows."""
    if not wanted:
        return set()
    owners = type(next(iter(wanted)))
    stored = former_handles(owners, [row.pk for row in wanted])
    handles = {row.pk: sorted({*given} - {row.handle}) for row, given in wanted.items()}
    changed = {key: given for key, given in handles.items() if given != stored.get(key, [])}
    if changed:
        _table(owners).filter(owner__in=[*changed]).delete()
        _write(owners, changed, update_conflicts=True, unique_fields=["handle"], update_fields=["owner"])
    return {*changed}


def _table(owners: Any) -> Any:
    return owners._meta.get_field(FORMER).related_model.objects


def _write(owners: type[Model], handles: Mapping[str, Iterable[str]], **options: Any) -> None:
    """Insert them in one order, so that two transactions do not wait for each other."""
    table = _table(owners)
    by_handle = {handle: key for key, given in handles.items() for handle in given}
    rows = [table.model(handle=handle, owner_id=key) for handle, key in sorted(by_handle.items())]
    table.bulk_create(rows, batch_size=BATCH, **options)
