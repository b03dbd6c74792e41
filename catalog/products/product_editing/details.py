"""What a product has besides its options and variants, as staff maintain it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from catalog import former_handles, handles
from catalog.models import Product, ProductImage, ProductOption, ProductOptionValue, ProductVariant
from catalog.products.labels import SEARCH_ENGINES
from catalog.products.picture_addresses import use_addresses
from catalog.products.product_details import MEASURED, MEASURES, checked_measure
from catalog.products.titled_states import replace_former_handles, with_handle
from catalog.states import ProductStatus
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Row
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData

PARTS = (
    (ProductVariant, "product"),
    (ProductOption, "product"),
    (ProductImage, "product"),
    (ProductOptionValue, "option__product"),
)


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[Product]]:
    edits = RowEdits(Product, [with_handle(state) for state in states], actor=actor)
    handles.refuse_unsafe(edits, states)
    use_addresses(edits, states, "thumbnail")
    refuse_negative_measures(edits, states)
    replace_former_handles(edits, states)
    edited = edits.write()
    remember_handles(edits.rows, edits.replaced)
    return edited


def remember_handles(products: Iterable[Product], replaced: Callable[[str], Mapping[str, Any]]) -> None:
    """Remember the handles that were changed. replaced: the values that were stored until now, by attribute and id."""
    if before := replaced("handle"):
        status = {**{product.pk: product.status for product in products}, **replaced("status")}
        drafts = [key for key in before if status[key] != ProductStatus.PUBLISHED]
        former_handles.remember(Product, before, hidden=drafts)


def refuse_negative_measures(edits: RowEdits[Row], states: Sequence[Any]) -> None:
    """Add a fault for each given measure that is negative."""
    for index, state in enumerate(states):
        for name in MEASURES:
            value = getattr(state, name)
            try:
                checked_measure(None if value is ABSENT else value, field=name)
            except InvalidData as refusal:
                edits.refuse(index, name, refusal)


VERBS = RowVerbs(
    Product,
    (
        *("title", "handle", "subtitle", "description", "thumbnail", "status", "is_giftcard", "discountable"),
        *("requires_shipping", "external_id", *SEARCH_ENGINES, *MEASURED, "type_id", "collection_id", "tags"),
        *("categories", "sales_channels", "shipping_profile_id", "former_handles", "metadata"),
    ),
    extras=("former_handles",),
    put=_put,
    delete=partial(delete_rows, parts=PARTS),
    restore=partial(restore_rows, parts=PARTS),
)
"""A new product without a handle gets it from its title. former_handles: all; the one that is replaced is added.

The handles and codes of deleted products are free. Prices and stock stay: they are found only through variants that are
not deleted.
"""
