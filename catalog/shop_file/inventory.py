"""The stock of variants in the shop file."""

from collections.abc import Collection, Hashable, Mapping, Sequence

from django.db.models import Count, Q, QuerySet

from catalog.models import InventoryItem, InventoryLevel, ProductVariant, VariantInventoryItem
from catalog.states import MovementReason
from catalog.stock import inventory_items
from catalog.stock.stock_movements import Move, record_movements
from kit.database.locking import lock_rows
from kit.domain.actor import SYSTEM
from kit.editing.changes import Changes
from kit.editing.children import Children
from kit.shop_file.problems import Problems
from kit.shop_file.references import ByName
from kit.shop_file.values import Entry, Integer, Value
from shop.shop_file.targets import STOCK_LOCATIONS

STOCK: Mapping[str, Value] = {
    "inventory": ByName(target=STOCK_LOCATIONS, each=Integer()),
    "inventory_quantity": Integer(),
}
"""The stock fields of a variant: by location, or at the only location."""


def requested_quantities(variant: Entry, locations: Sequence[str], problems: Problems) -> Mapping[str, int]:
    """The wanted stock by location id. A quantity without a location is for the only one."""
    given: Mapping[str, int] | None = variant.given.get("inventory")
    if "inventory_quantity" not in variant.given:
        return given or {}
    path = f"{variant.path}.inventory_quantity"
    if given is not None:
        problems.add(path, "cannot be given together with inventory")
    elif len(locations) != 1:
        problems.add(path, f"the shop has {len(locations) or 'no'} stock locations; name the location by inventory")
    return dict.fromkeys(locations[:1], variant.given["inventory_quantity"])


class ItemLinks(Children[VariantInventoryItem]):
    """The inventory items of variants."""

    model = VariantInventoryItem
    parent = "variant_id"
    key = ("inventory_item_id",)


class Levels(Children[InventoryLevel]):
    """The levels of inventory items."""

    model = InventoryLevel
    parent = "inventory_item_id"
    key = ("location_id",)

    def stored(self, parents: Collection[Hashable]) -> QuerySet[InventoryLevel]:
        """Deleted levels, too: loading one restores it."""
        return InventoryLevel.objects.filter(inventory_item__in=[*map(str, parents)])

    def __init__(self, parents: Collection[Hashable]) -> None:
        super().__init__(parents)
        self._wanted: dict[str, int] = {}

    def put_quantity(self, item: Hashable, location: str, quantity: int) -> bool:
        """Set the stock of the item at the location. Returns whether that changes anything."""
        level = self.of(item).get((location,))
        is_new = (level is None or level.deleted_at is not None) and self.put(item, (location,), {"deleted_at": None})
        level = self.of(item)[location,]
        if not is_new and self._wanted.get(level.pk, _in_file(level.stocked_quantity)) == quantity:
            return False
        self._wanted[level.pk] = quantity
        return True

    def write(self) -> None:
        """Save new levels, then move the stock."""
        super().write()
        if self._wanted:
            levels = lock_rows(InventoryLevel.objects.filter(pk__in=self._wanted))
            moves = [Move(level, self._wanted[level.pk]) for level in levels]
            record_movements(moves, actor=SYSTEM, reason=MovementReason.IMPORT)


class Stock:
    """The stock of a batch of variants. A variant gets an item of its own with its first quantity: see inventory_items.

    A file has quantities per variant, so it cannot represent shared items, bundles, or several items per piece.
    """

    def __init__(self, variants: Collection[str], *, skus: Collection[str | None] = ()) -> None:
        """`variants`: ids of those that are stored; `skus`: of all that may need an item."""
        self._links = ItemLinks(variants)
        self._items = {sku: item.pk for sku, item in inventory_items.with_skus(skus).items()}
        linked = {key[0] for links in self._links.rows.values() for key in links}
        items = linked | set(self._items.values())
        self._levels = Levels(items)
        self._takers = _takers(items)
        self._new_items = Changes(InventoryItem)

    def fault(self, variant: str, sku: str | None) -> str | None:
        """Why a file cannot represent the stock of the variant, stored or new; None if it can."""
        links = self._links.of(variant)
        if len(links) > 1:
            return "the variant has several inventory items"
        for link in links.values():
            if link.inventory_item_id not in self._takers:
                return "the inventory item of the variant is deleted"
            if link.required_quantity != 1:
                return f"one piece of the variant requires {link.required_quantity} of its inventory item"
        items = [link.inventory_item_id for link in links.values()] or [self._items.get(sku or "", "")]
        if self._takers.get(items[0], 0) > len(links):
            return "other variants have the same inventory item"
        return None

    def put(self, variant: ProductVariant, quantities: Mapping[str, int]) -> bool:
        """Set the variant's stock by location id. Returns whether anything changes."""
        if not quantities:
            return False
        item, changes = self._item_of(variant)
        for location, quantity in quantities.items():
            changes |= self._levels.put_quantity(item, location, quantity)
        return changes

    def quantities(self, variant: str) -> dict[str, int]:
        """The stock by location id of a variant with at most one item."""
        levels = [self._levels.of(key[0]) for key in self._links.of(variant)]
        by_location = [pair for of_item in levels for pair in of_item.items()]
        return {str(key[0]): _in_file(level.stocked_quantity) for key, level in by_location if level.deleted_at is None}

    def write(self) -> None:
        """Write the changes."""
        self._new_items.write()
        self._links.write()
        self._levels.write()

    def _item_of(self, variant: ProductVariant) -> tuple[Hashable, bool]:
        """The id of the variant's item, and whether it was linked just now."""
        links = self._links.of(variant.pk)
        if links:
            return next(iter(links))[0], False
        item = self._items.get(variant.sku or "")
        if item is None:
            item = self._new_items.make(**inventory_items.details_of(variant)).pk
        return item, self._links.put(variant.pk, (item,), {})


def _in_file(stocked: int) -> int:
    """A stock below 0 counts as 0: it is owed to orders, which a file does not hold."""
    return max(stocked, 0)


def _takers(items: Collection[Hashable]) -> dict[str, int]:
    """The number of variants of each item; deleted items are left out."""
    taken = Q(variant_links__deleted_at=None, variant_links__variant__deleted_at=None)
    rows = (
        InventoryItem.objects.not_deleted().filter(pk__in=items).annotate(takers=Count("variant_links", filter=taken))
    )
    return dict(rows.values_list("pk", "takers")) if items else {}
