"""Categories, as programs maintain them: the verbs of the tree behind those of any maintained row."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from catalog.categories import category_tree
from catalog.errors import CategoryNotFound, ParentCategoryNotFound
from catalog.models import ProductCategory
from kit.domain.actor import Actor
from kit.domain.missing_row import given_by
from kit.editing.states import Edited, Fault, RowsRefused, VersionOutdated
from kit.editing.verbs import RowVerbs
from kit.errors import Duplicate, InvalidData, NotAllowed

_PLACE = {"parent_category_id": "parent_id", "rank": "rank"}


class CategoryVerbs(RowVerbs[ProductCategory]):
    """The tree is locked before any row of it, as its own verbs do. They write one category at a time."""

    writes_batches = False

    @transaction.atomic
    def delete(self, **given: Any) -> None:
        category_tree.lock_tree()
        super().delete(**given)


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ProductCategory]]:
    """Raises NotFound, Forbidden, and RowsRefused for the first state that the tree's verbs refuse."""
    edited = []
    for index, state in enumerate(states):
        try:
            edited.append(_created(actor, state) if state.id is None else _changed(actor, state))
        except ParentCategoryNotFound as error:
            refusal = InvalidData(given_by(error.message, "parent_category_id"))
            raise RowsRefused(ProductCategory, [Fault(index, "parent_category_id", refusal)]) from error
        except (InvalidData, NotAllowed, Duplicate, VersionOutdated) as error:
            raise RowsRefused(ProductCategory, [Fault(index, "", error)]) from error
    return edited


def _created(actor: Actor, state: Any) -> Edited[ProductCategory]:
    values: dict[str, Any] = {_PLACE.get(name, name): value for name, value in state.given_values().items()}
    values["handle"] = values.get("handle") or None  # it follows from the name
    return Edited(category_tree.create(actor=actor, **values), is_new=True, is_changed=True)


def _changed(actor: Actor, state: Any) -> Edited[ProductCategory]:
    values = state.given_values()
    position: Any = {key: values.pop(name) for name, key in _PLACE.items() if name in values}
    category_tree.lock_tree()
    stored = ProductCategory.objects.not_deleted().with_id(state.id)
    if stored is None:
        raise CategoryNotFound(state.id)
    if state.version not in (None, stored.updated_at):
        raise VersionOutdated(stored)
    category_tree.update(actor=actor, category_id=state.id, **values)
    row = category_tree.move(actor=actor, category_id=state.id, **position)
    return Edited(row, is_new=False, is_changed=row.updated_at != stored.updated_at)


def _delete(model: type[ProductCategory], ids: Sequence[str], *, actor: Actor) -> None:
    for key in ids:
        category_tree.delete(actor=actor, category_id=key)


def _restore(model: type[ProductCategory], ids: Sequence[str], *, actor: Actor) -> None:
    for key in ids:
        category_tree.restore(actor=actor, category_id=key)


VERBS = CategoryVerbs(
    ProductCategory,
    (
        *("name", "handle", "description", "seo_title", "seo_description", "parent_category_id", "rank"),
        *("is_active", "is_internal", "metadata"),
    ),
    put=_put,
    delete=_delete,
    restore=_restore,
)
"""Metadata is always merged. rank: among the children of the parent, from 0; by default the last of a new one."""
