"""Computing the lowest stock of products again, for what was noted."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from django.db import transaction
from django.db.models import F, Min

from catalog.lowest_stock.triggers import ITEM, LOCATION, PRODUCT, VARIANT
from catalog.models import InventoryLevel, LowestStock, ProductVariant, StockNote, VariantInventoryItem

BATCH = 1000
"""Notes per transaction."""
MOST_IN_REQUEST = 5
"""Batches that a request computes. More wait only after many rows were loaded at once."""


def fold() -> int:
    """Compute the lowest stock again for all that was noted; returns how many notes this saved."""
    folded = 0
    while batch := _fold_batch():
        folded += batch
    return folded


def fold_in_request() -> bool:
    """As fold, for at most MOST_IN_REQUEST batches. Returns whether nothing is left."""
    return any(_fold_batch() < BATCH for _ in range(MOST_IN_REQUEST)) or not StockNote.objects.exists()


@transaction.atomic
def _fold_batch() -> int:
    """How many notes were folded. Another transaction that folds some of them waits, and then computes after this one.

    The products are read after the notes, and their stock after that: whatever was noted is visible.
    """
    notes = list(StockNote.objects.order_by("pk").select_for_update()[:BATCH])
    if notes:
        keys: dict[str, set[str]] = defaultdict(set)
        for note in notes:
            keys[note.kind].add(note.key)
        _note_items_at(keys[LOCATION])
        _store(_products(keys))
        StockNote.objects.filter(pk__in=[note.pk for note in notes]).delete()
    return len(notes)


def _note_items_at(locations: Collection[str]) -> None:
    """Too many for a batch: each item is noted by itself."""
    if locations:
        items = InventoryLevel.objects.filter(location__in=locations).values_list("inventory_item_id", flat=True)
        more = (StockNote(kind=ITEM, key=key) for key in items.distinct().iterator())
        StockNote.objects.bulk_create(more, batch_size=BATCH)


def _products(keys: Mapping[str, Collection[str]]) -> set[str]:
    """The products that these items, variants and products concern."""
    items = VariantInventoryItem.objects.filter(inventory_item__in=keys[ITEM])
    variants = ProductVariant.objects.filter(pk__in=keys[VARIANT])
    return {
        *keys[PRODUCT],
        *items.values_list("variant__product_id", flat=True),
        *variants.values_list("product_id", flat=True),
    }


def _store(products: Collection[str]) -> None:
    lowest = lowest_of(products)
    LowestStock.objects.filter(product__in=products).exclude(product__in=lowest).delete()
    rows = [LowestStock(product_id=key, available=lowest[key]) for key in sorted(lowest)]
    LowestStock.objects.bulk_create(rows, update_conflicts=True, unique_fields=["product"], update_fields=["available"])


def lowest_of(products: Iterable[str]) -> dict[str, int]:
    """The lowest available stock by product, as it is now."""
    level = "inventory_item__levels"
    links = VariantInventoryItem.objects.not_deleted().filter(
        variant__product__in=products,
        variant__deleted_at=None,
        variant__manage_inventory=True,
        inventory_item__deleted_at=None,
    )
    levels = links.filter(**{f"{level}__deleted_at": None, f"{level}__location__deleted_at": None})
    available = Min(F(f"{level}__stocked_quantity") - F(f"{level}__reserved_quantity"))
    found = levels.order_by().values_list("variant__product_id").annotate(lowest=available)
    return {key: lowest for key, lowest in found if lowest is not None}
