"""Changing what variants have besides prices and stock, of any number of variants at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction

from catalog.errors import DuplicateVariants
from catalog.models import Product, ProductVariant
from catalog.products.product_details import require_distinct
from catalog.products.product_editing.details import MeasuresState, refuse_negative_measures
from catalog.products.product_options import add_missing_values, require_distinct_variants, values_by_product
from kit.domain.absent import ABSENT, Absent
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.locked_rows import lock_parents, locked_parents, require_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Fault, RowsRefused
from kit.editing.verbs import RowVerbs
from kit.values.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantDetails(MeasuresState):
    """The desired state of a variant. options: the ids of its values, one for each option of the product."""

    product_id: str | Absent = ABSENT
    title: str | Absent = ABSENT
    variant_rank: int | Absent = ABSENT
    sku: str | Absent | None = ABSENT
    barcode: str | Absent | None = ABSENT
    ean: str | Absent | None = ABSENT
    upc: str | Absent | None = ABSENT
    manage_inventory: bool | Absent = ABSENT
    allow_backorder: bool | Absent = ABSENT
    options: Collection[str] | Absent = ABSENT
    images: Collection[str] | Absent = ABSENT
    metadata: Metadata | Absent | None = ABSENT


@transaction.atomic
def put(*, actor: Actor, states: Sequence[VariantDetails]) -> list[Edited[ProductVariant]]:
    """Create and change variants: all of them, or none. Their products are locked, since variants are compared.

    Raises NotFound, RowsRefused (with DuplicateVariants among the faults), Forbidden.
    """
    lock_parents(Product, states, "product_id", of=ProductVariant)
    edits = RowEdits(ProductVariant, states, actor=actor)
    refuse_negative_measures(edits, states)
    edited = edits.write()
    chosen = {
        one.row.product_id
        for one, state in zip(edited, states, strict=True)
        if one.is_new or state.options is not ABSENT
    }
    for product_id, values in values_by_product(chosen).items():
        try:
            require_distinct(values)
        except DuplicateVariants as refusal:
            index = next(place for place, one in enumerate(edited) if one.row.product_id == product_id)
            raise RowsRefused(ProductVariant, [Fault(index, "options", refusal)]) from refusal
    return edited


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete variants; their option values, prices and stock stay linked to them. Raises NotFound, Forbidden."""
    locked_parents(Product, ids, "product", of=ProductVariant, actor=actor)
    delete_rows(ProductVariant, ids, actor=actor)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore variants. They get the first value of each option that was added to their product meanwhile.

    Raises NotFound, NotDeleted, ParentDeleted, ValueTaken (a code), DuplicateVariants (another variant now has the
    same value of each option), Forbidden.
    """
    products = locked_parents(Product, ids, "product", of=ProductVariant, actor=actor)
    restore_rows(ProductVariant, ids, actor=actor)
    require_parents(products)
    keys = [product.pk for product in products]
    add_missing_values(keys)
    require_distinct_variants(keys)


VERBS = RowVerbs(state=VariantDetails, put=put, delete=delete, restore=restore)
