"""Creating and changing what a product has besides its options and variants, of any number of products at once."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from catalog import former_handles, handles
from catalog.models import Product, ProductImage, ProductOption, ProductOptionValue, ProductVariant
from catalog.products.picture_addresses import use_addresses
from catalog.products.product_details import MEASURES, checked_measure
from catalog.products.titled_states import replace_former_handles, with_handle
from catalog.states import ProductStatus
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Row, RowState
from kit.editing.verbs import RowVerbs
from kit.errors import InvalidData
from kit.values.metadata import Metadata

PARTS = (
    (ProductVariant, "product"),
    (ProductOption, "product"),
    (ProductImage, "product"),
    (ProductOptionValue, "option__product"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuresState(RowState):
    """The dimensions, weight and customs fields of a product or variant."""

    width: float | Absent | None = ABSENT
    weight: float | Absent | None = ABSENT
    length: float | Absent | None = ABSENT
    height: float | Absent | None = ABSENT
    origin_country: str | Absent | None = ABSENT
    hs_code: str | Absent | None = ABSENT
    mid_code: str | Absent | None = ABSENT
    material: str | Absent | None = ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class DetailsState(MeasuresState):
    """The desired state of a product. A new one without a handle gets it from its title.

    former_handles: all of them; the one that the edit replaces is added.
    """

    title: str | Absent = ABSENT
    handle: str | Absent = ABSENT
    subtitle: str | Absent | None = ABSENT
    description: str | Absent | None = ABSENT
    status: str | Absent = ABSENT
    thumbnail: str | Absent | None = ABSENT
    external_id: str | Absent | None = ABSENT
    seo_title: str | Absent | None = ABSENT
    seo_description: str | Absent | None = ABSENT
    is_giftcard: bool | Absent = ABSENT
    discountable: bool | Absent = ABSENT
    requires_shipping: bool | Absent = ABSENT
    type_id: str | Absent | None = ABSENT
    collection_id: str | Absent | None = ABSENT
    shipping_profile_id: str | Absent | None = ABSENT
    tags: Collection[str] | Absent = ABSENT
    categories: Collection[str] | Absent = ABSENT
    sales_channels: Collection[str] | Absent = ABSENT
    former_handles: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[DetailsState]) -> list[Edited[Product]]:
    """Create and change products: all of them, or none. Raises NotFound, RowsRefused, Forbidden."""
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


def refuse_negative_measures(edits: RowEdits[Row], states: Sequence[MeasuresState]) -> None:
    """Add a fault for each given measure that is negative."""
    for index, state in enumerate(states):
        for name in MEASURES:
            value = getattr(state, name)
            try:
                checked_measure(None if value is ABSENT else value, field=name)
            except InvalidData as refusal:
                edits.refuse(index, name, refusal)


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete products with their options, variants and images; handles and codes become free.

    Prices and stock stay: they are found only through variants that are not deleted. Raises NotFound, Forbidden.
    """
    delete_rows(Product, ids, actor=actor, parts=PARTS)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore products with the parts that were deleted with them.

    Raises NotFound, NotDeleted, ValueTaken (a handle or a variant's code is taken by now), Forbidden.
    """
    restore_rows(Product, ids, actor=actor, parts=PARTS)


VERBS = RowVerbs(state=DetailsState, put=put, delete=delete, restore=restore)
