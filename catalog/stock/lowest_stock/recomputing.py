"""Recomputes the lowest stock of products whose stock has changed."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from django.db import connection
from django.db.models import F, Min, QuerySet

from catalog.models import LowestStock, Product, ProductVariant, StaleStock, VariantInventoryItem
from catalog.stock.lowest_stock.triggers import ITEM, LOCATION, PRODUCT, TABLE, VARIANT
from kit.derived.stale_batches import BATCH, StaleBatches
from kit.errors import Conflict

MOST_IN_REQUEST = 5
"""Batches that a request processes. More are left only after many rows were loaded at once."""
AVAILABLE = Min(F("inventory_item__levels__stocked_quantity") - F("inventory_item__levels__reserved_quantity"))
"""The lowest available stock of `stocked_links`."""

_MARK_ITEMS = (
    f"INSERT INTO {TABLE} (kind, key) "  # noqa: S608 - a name of our own
    "SELECT DISTINCT %s, inventory_item_id FROM catalog_inventorylevel WHERE location_id = %s"
)


def recompute() -> int:
    """Process all stale rows; returns how many."""
    return sum(_BATCHES.all())


def recompute_in_request() -> bool:
    """Process at most MOST_IN_REQUEST batches. Returns whether no stale rows are left.

    Nothing is locked where there are none. If another transaction is processing them, `recompute_lowest` does the rest.
    """
    for _ in range(MOST_IN_REQUEST):
        if not StaleStock.objects.exists():
            return True
        try:
            _BATCHES.next()
        except Conflict:
            return False
    return not StaleStock.objects.exists()


def recompute_all() -> Iterator[int]:
    """Recompute the lowest stock of every product; yields how many stale rows each batch processed.

    Needed only after rows were written with triggers disabled.
    """
    products = Product.objects.order_by().values_list("pk", flat=True)
    stale = (StaleStock(kind=PRODUCT, key=key) for key in products.iterator())
    StaleStock.objects.bulk_create(stale, batch_size=BATCH)
    yield from _BATCHES.all()


def stocked_links() -> "QuerySet[VariantInventoryItem]":
    """A row for each variant that is sold from stock, its item, and a level of it."""
    level = "inventory_item__levels"
    links: QuerySet[VariantInventoryItem] = VariantInventoryItem.objects.not_deleted().filter(
        variant__deleted_at=None, variant__manage_inventory=True, inventory_item__deleted_at=None
    )
    return links.filter(**{f"{level}__deleted_at": None, f"{level}__location__deleted_at": None}).order_by()


def _compute(keys: Mapping[str, set[str]]) -> None:
    _mark_items_at(keys[LOCATION])
    _store(_products(keys))


LOCK = "catalog.lowest_stock"
_BATCHES = StaleBatches(StaleStock, LOCK, _compute)


def _mark_items_at(locations: Collection[str]) -> None:
    """Mark each item at these locations as stale: a location may have more items than one batch can process."""
    with connection.cursor() as cursor:
        for location in sorted(locations):
            cursor.execute(_MARK_ITEMS, [ITEM, location])


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
    lowest = _lowest_of(products)
    LowestStock.objects.filter(product__in=products).exclude(product__in=lowest).delete()
    rows = [LowestStock(product_id=key, available=lowest[key]) for key in sorted(lowest)]
    LowestStock.objects.bulk_create(rows, update_conflicts=True, unique_fields=["product"], update_fields=["available"])


def _lowest_of(products: Iterable[str]) -> dict[str, int]:
    """The lowest available stock by product, as it is now."""
    links = stocked_links().filter(variant__product__in=products)
    found = links.values_list("variant__product_id").annotate(lowest=AVAILABLE)
    return {key: lowest for key, lowest in found if lowest is not None}
