"""Linking variants to images and inventory items."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from catalog.models import ProductImage, VariantInventoryItem
from catalog.nested_writes.variants import OF_PRODUCT
from catalog.products.product_editing.variant_details import VERBS
from kit.domain.actor import Actor
from kit.domain.missing_row import missing
from kit.editing.batches import naming
from kit.editing.locked_rows import require_rows
from kit.editing.regrouping import Members, Regrouping, regroup
from kit.errors import InvalidData

Pairs = Sequence[Mapping[str, Any]]
"""Each with `variant_id` and `inventory_item_id`; `required_quantity` of a new or changed one."""

_PICTURED = Members(VERBS, "images", "Give a picture to variants, and take it from others.")


def change_pictures(
    *, actor: Actor, product_id: str, variant_id: str, add: Collection[str] = (), remove: Collection[str] = ()
) -> None:
    """Give the variant pictures of its product, and take others away. Raises NotFound, InvalidData, Forbidden."""
    OF_PRODUCT.require_parent(product_id)
    OF_PRODUCT.require(product_id, [variant_id])
    for field, ids in (("add", add), ("remove", remove)):
        with naming(field):
            require_rows(_images(product_id), ids)
    how = Regrouping(add={"images": [*add]}, remove={"images": [*remove]})
    regroup(VERBS, [variant_id], how, actor=actor)


def change_pictured(
    *, actor: Actor, product_id: str, image_id: str, add: Collection[str] = (), remove: Collection[str] = ()
) -> None:
    """Give the picture to variants of its product, and take it from others. Raises NotFound, InvalidData, Forbidden."""
    OF_PRODUCT.require_parent(product_id)
    require_rows(_images(product_id), [image_id])
    for field, ids in (("add", add), ("remove", remove)):
        with naming(field):
            OF_PRODUCT.require(product_id, ids)
    _PICTURED.change(actor=actor, id=image_id, add=add, remove=remove)


def items_batch(product_id: str, *, create: Pairs = (), update: Pairs = (), delete: Pairs = ()) -> dict[str, Any]:
    """The batch for the verbs of catalog/stock/variant_items.py. Raises NotFound, InvalidData for unknown pairs."""
    OF_PRODUCT.require_parent(product_id)
    for field, pairs in (("create", create), ("update", update), ("delete", delete)):
        with naming(field):
            OF_PRODUCT.require(product_id, [pair["variant_id"] for pair in pairs])
    variants = {pair["variant_id"] for pair in (*update, *delete)}
    rows = VariantInventoryItem.objects.filter(variant__in=variants)
    keys = {(row.variant_id, row.inventory_item_id): row.pk for row in (rows if variants else ())}
    for field, pairs in (("update", update), ("delete", delete)):
        if unknown := [pair["inventory_item_id"] for pair in pairs if _pair(pair) not in keys]:
            raise InvalidData(missing("Inventory item of the variant", *unknown, field=field))
    changed = [{"id": keys[_pair(pair)], "required_quantity": pair["required_quantity"]} for pair in update]
    return {"create": create, "update": changed, "delete": [keys[_pair(pair)] for pair in delete]}


def _pair(values: Mapping[str, Any]) -> tuple[str, str]:
    return values["variant_id"], values["inventory_item_id"]


def _images(product_id: str) -> QuerySet[ProductImage]:
    return ProductImage.objects.filter(product=product_id)
