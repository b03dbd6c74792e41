"""Which inventory item is a variant's own, before it takes from any: the living one with its SKU, else a new one."""

from collections.abc import Iterable

from catalog.models import InventoryItem, ProductVariant


def with_skus(skus: Iterable[str | None]) -> dict[str, InventoryItem]:
    """The living items that have these SKUs, by SKU."""
    wanted = {sku for sku in skus if sku}
    rows = InventoryItem.objects.not_deleted().filter(sku__in=wanted) if wanted else ()
    return {row.sku: row for row in rows}


def details_of(variant: ProductVariant) -> dict[str, str | None]:
    """What a new item is called."""
    return {"sku": variant.sku, "title": variant.title}


def own(variant: ProductVariant) -> InventoryItem:
    """The variant's own; a new one is not stored yet."""
    return with_skus([variant.sku]).get(variant.sku or "") or InventoryItem(**details_of(variant))
