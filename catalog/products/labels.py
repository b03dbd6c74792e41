"""Creating, changing, deleting and restoring product types, tags and collections, any number at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from django.db import transaction

from catalog import former_handles, handles
from catalog.models import ProductCollection, ProductTag, ProductType
from catalog.products.titled_states import replace_former_handles, with_handle
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.domain.base_model import BaseModel
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, RowState
from kit.editing.verbs import Put, RowVerbs
from kit.values.metadata import Metadata

Label = TypeVar("Label", ProductType, ProductTag)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelState(RowState):
    """The desired state of a type or tag."""

    value: str | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionState(RowState):
    """The desired state of a collection. A new one without a handle gets it from its title."""

    title: str | Absent = ABSENT
    handle: str | Absent = ABSENT
    seo_title: str | Absent | None = ABSENT
    seo_description: str | Absent | None = ABSENT
    former_handles: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(model: type[Label], *, actor: Actor, states: Sequence[LabelState]) -> list[Edited[Label]]:
    """Create and change types or tags: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    return RowEdits(model, states, actor=actor).write()


@transaction.atomic
def put_collections(*, actor: Actor, states: Sequence[CollectionState]) -> list[Edited[ProductCollection]]:
    """Create and change collections: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
    edits = RowEdits(ProductCollection, [with_handle(state) for state in states], actor=actor)
    handles.refuse_unsafe(edits, states)
    replace_former_handles(edits, states)
    edited = edits.write()
    former_handles.remember(ProductCollection, edits.replaced("handle"))
    return edited


@transaction.atomic
def delete(model: type[BaseModel], *, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete rows; products keep their links to them. Raises NotFound, Forbidden."""
    delete_rows(model, ids, actor=actor)


@transaction.atomic
def restore(model: type[BaseModel], *, actor: Actor, ids: Sequence[str]) -> None:
    """Restore rows: products show them again. Raises NotFound, NotDeleted, ValueTaken, Forbidden."""
    restore_rows(model, ids, actor=actor)


def label_verbs(model: type[BaseModel], state: type[RowState], put: Put) -> RowVerbs:
    """The verbs of a table that products refer to."""
    return RowVerbs(state=state, put=put, delete=partial(delete, model), restore=partial(restore, model))


TYPES = label_verbs(ProductType, LabelState, partial(put, ProductType))
TAGS = label_verbs(ProductTag, LabelState, partial(put, ProductTag))
COLLECTIONS = label_verbs(ProductCollection, CollectionState, put_collections)
