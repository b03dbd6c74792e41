"""What variants have besides prices and stock, as staff maintain it."""

from collections.abc import Sequence
from typing import Any

from catalog.errors import DuplicateVariants
from catalog.models import Product, ProductVariant
from catalog.products.product_details import MEASURED, require_distinct
from catalog.products.product_editing.details import refuse_negative_measures
from catalog.products.product_options import add_missing_values, require_distinct_variants, values_by_product
from kit.domain.absent import ABSENT
from kit.domain.actor import Actor
from kit.editing.deletion import delete_rows, restore_rows
from kit.editing.locked_rows import lock_parents, locked_parents, require_parents
from kit.editing.rows import RowEdits
from kit.editing.states import Edited, Fault, RowsRefused
from kit.editing.verbs import RowVerbs


def _put(*, actor: Actor, states: Sequence[Any]) -> list[Edited[ProductVariant]]:
    """Products are locked, since their variants are compared. DuplicateVariants is among the faults."""
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


def delete_variants(model: type[ProductVariant], ids: Sequence[str], *, actor: Actor) -> None:
    """Soft-delete variants; their option values, prices and stock stay linked to them. Raises NotFound, Forbidden."""
    locked_parents(Product, ids, "product", of=model, actor=actor)
    delete_rows(model, ids, actor=actor)


def restore_variants(model: type[ProductVariant], ids: Sequence[str], *, actor: Actor) -> None:
    """Restore variants. They get the first value of each option that was added to their product meanwhile.

    Raises NotFound, NotDeleted, ParentDeleted, ValueTaken (a code), DuplicateVariants (another variant now has the
    same value of each option), Forbidden.
    """
    products = locked_parents(Product, ids, "product", of=model, actor=actor)
    restore_rows(model, ids, actor=actor)
    require_parents(products)
    keys = [product.pk for product in products]
    add_missing_values(keys)
    require_distinct_variants(keys)


VERBS = RowVerbs(
    ProductVariant,
    (
        *("product_id", "title", "variant_rank", "sku", "barcode", "ean", "upc", "manage_inventory"),
        *("allow_backorder", *MEASURED, "options", "images", "price_set_id", "metadata"),
    ),
    put=_put,
    delete=delete_variants,
    restore=restore_variants,
)
"""options: the ids of a variant's values, one for each option of the product."""
