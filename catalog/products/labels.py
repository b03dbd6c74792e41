"""Product types, tags and collections, as staff maintain them. Products keep their links to deleted ones."""

from collections.abc import Sequence
from typing import Any

from catalog import former_handles, handles
from catalog.models import ProductCollection, ProductTag, ProductType
from catalog.products.titled_states import replace_former_handles, with_handle
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited
from kit.editing.verbs import RowVerbs

SEARCH_ENGINES = ("seo_title", "seo_description")
LABEL = ("value", "metadata")


def _put_collections(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ProductCollection]]:
    """A new one without a handle gets it from its title; a changed handle is remembered."""
    edits = RowEdits(ProductCollection, [with_handle(state) for state in states], actor=actor)
    handles.refuse_unsafe(edits, states)
    replace_former_handles(edits, states)
    edited = edits.write()
    former_handles.remember(ProductCollection, edits.replaced("handle"))
    return edited


TYPES = RowVerbs(ProductType, LABEL, delete=delete_rows, restore=restore_rows)
TAGS = RowVerbs(ProductTag, LABEL, delete=delete_rows, restore=restore_rows)
COLLECTIONS = RowVerbs(
    ProductCollection,
    ("title", "handle", *SEARCH_ENGINES, "former_handles", "metadata"),
    extras=("former_handles",),
    put=_put_collections,
    delete=delete_rows,
    restore=restore_rows,
)
