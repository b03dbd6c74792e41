"""Changing what variants have besides prices and stock, of any number of variants at once."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction

from catalog import product_deletion
from catalog.errors import DuplicateVariants
from catalog.models import Product, ProductVariant
from catalog.product_details import require_distinct
from catalog.product_editing.details import MeasuresState, refuse_negative_measures
from catalog.product_options import values_by_product
from commerce.kit.core.absent import ABSENT, Absent
from commerce.kit.core.actor import Actor
from commerce.kit.core.locking import lock_rows
from commerce.kit.core.metadata import Metadata
from commerce.kit.editing.rows import RowEdits
from commerce.kit.editing.states import Edited, Fault, RowsRefused
from commerce.kit.editing.verbs import RowVerbs


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
    stored = [state.id for state in states if state.id is not None]
    given = {state.product_id for state in states if state.product_id is not ABSENT}
    lock_rows(Product.objects.filter(pk__in=given) | Product.objects.filter(variants__in=stored))
    edits = RowEdits(ProductVariant, states, actor=actor)
    refuse_negative_measures(edits, states)
    edited = edits.write()
    chosen = {one.row.product_id for one, state in zip(edited, states, strict=True) if state.options is not ABSENT}
    for product_id, values in values_by_product(chosen).items():
        try:
            require_distinct(values)
        except DuplicateVariants as refusal:
            index = next(place for place, one in enumerate(edited) if one.row.product_id == product_id)
            raise RowsRefused(ProductVariant, [Fault(index, "options", refusal)]) from refusal
    return edited


@transaction.atomic
def delete(*, actor: Actor, ids: Sequence[str]) -> None:
    """Soft-delete variants, one after the other. Raises VariantNotFound, Forbidden."""
    for key in ids:
        product_deletion.delete_variant(actor=actor, variant_id=key)


@transaction.atomic
def restore(*, actor: Actor, ids: Sequence[str]) -> None:
    """Restore variants, one after the other. Raises VariantNotFound, and the errors of `restore_variant`."""
    for key in ids:
        product_deletion.restore_variant(actor=actor, variant_id=key)


VERBS = RowVerbs(state=VariantDetails, put=put, delete=delete, restore=restore)
