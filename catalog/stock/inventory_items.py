"""The inventory item that a variant gets when it has none: the existing one with its SKU, else a new one."""

from collections.abc import Iterable

from catalog.models import InventoryItem, ProductVariant


def with_skus(skus: Iterable[str | None]) -> dict[str, InventoryItem]:
    """The items with these SKUs that are not deleted, by SKU."""
    wanted = {sku for sku in skus if sku}
    rows = InventoryItem.objects.not_deleted().filter(sku__in=wanted) if wanted else ()
    return {row.sku: row for row in rows}


def details_of(variant: ProductVariant) -> dict[str, str | None]:
    """The SKU and title of a new item."""
    return {"sku": variant.sku, "title": variant.title}


def own(variant: ProductVariant) -> InventoryItem:
    """The variant's own item; a new one is not stored yet."""
    return with_skus([variant.sku]).get(variant.sku or "") or InventoryItem(**details_of(variant))
