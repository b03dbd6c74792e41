"""The stock of the edited variants, changed by differences."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import QuerySet

from catalog.models import InventoryItem, InventoryLevel, ProductVariant, VariantInventoryItem
from catalog.products.product_editing.edits import Fault, ProductState, change_of
from catalog.products.product_editing.variants import VariantEdits
from catalog.states import MovementReason
from catalog.stock import inventory_items
from catalog.stock.stock_movements import MOST_STOCKED, Move, record_movements
from kit.database.locking import lock_rows
from kit.domain.actor import Actor
from kit.editing.changes import Changes
from shop.models import StockLocation

_REASONS = (MovementReason.SET, MovementReason.ADJUSTMENT)

Place = tuple[str, str]
"""The ids of an item and a location."""


def item_links(variant_ids: Sequence[str]) -> QuerySet[VariantInventoryItem]:
    """The links of variants to items that are not deleted."""
    links: QuerySet[VariantInventoryItem] = VariantInventoryItem.objects.not_deleted()
    return links.filter(variant__in=variant_ids, inventory_item__deleted_at=None).order_by("pk")


class StockEdits:
    """The differences to book. A variant without an item gets its own with its first stock, if the actor may add it."""

    def __init__(self, states: Sequence[ProductState], variants: VariantEdits, *, actor: Actor) -> None:
        """Reads nothing unless a state has stock; the levels are read, and locked, by `put_all`."""
        self._variants, self._actor = variants, actor
        self._states = [state for state in states if any(one.stock for one in state.variants)]
        self._items, self._links = Changes(InventoryItem), Changes(VariantInventoryItem)
        self._levels = Changes(InventoryLevel)
        self._moves: dict[MovementReason, list[Move]] = {reason: [] for reason in _REASONS}

    def put_all(self) -> list[Fault]:
        """Work out the stock of all products. Returns the differences that are impossible or forbidden."""
        if not self._states:
            return []
        self._locations = dict(StockLocation.objects.not_deleted().values_list("pk", "name"))
        wanted, faults = self._differences()
        levels = {
            (level.inventory_item_id, level.location_id): level
            for level in lock_rows(InventoryLevel.objects.filter(inventory_item__in={item for item, _ in wanted}))
        }
        for place, parts in wanted.items():
            faults += self._put_level(place, levels.get(place), parts)
        return faults

    def write(self) -> None:
        """Save new items and levels, then move the stock."""
        self._items.write()
        self._links.write()
        self._levels.write()
        for reason, moves in self._moves.items():
            record_movements(moves, actor=self._actor, reason=reason)

    def _differences(self) -> tuple[dict[Place, list[tuple[str, int, ProductVariant, int]]], list[Fault]]:
        rows = [row for state in self._states for row in self._variants.wanted[state.id]]
        items: Mapping[str, list[str]] = defaultdict(list)
        for link in item_links([row.pk for row in rows]):
            items[link.variant_id].append(link.inventory_item_id)
        by_sku = {sku: item.pk for sku, item in inventory_items.with_skus(row.sku for row in rows).items()}
        wanted: dict[Place, list[tuple[str, int, ProductVariant, int]]] = {}
        faults = []
        for state in self._states:
            for index, (one, row) in enumerate(zip(state.variants, self._variants.wanted[state.id], strict=True)):
                for location, difference in one.stock.items():
                    column = f"stock.{location}"
                    if location not in self._locations:
                        faults.append(Fault(state.id, index, column, "The location is deleted. Reload the page."))
                    elif len(items[row.pk]) > 1:
                        message = "The variant is a bundle: its items have their own stock."
                        faults.append(Fault(state.id, index, column, message))
                    elif missing := self._missing_permission(row, items, by_sku):
                        message = f"The variant has no inventory item yet: the permission '{missing}' is required."
                        faults.append(Fault(state.id, index, column, message))
                    else:
                        item = self._item_of(row, items, by_sku)
                        wanted.setdefault((item, location), []).append((state.id, index, row, difference))
        return wanted, faults

    def _missing_permission(
        self, row: ProductVariant, items: Mapping[str, list[str]], by_sku: Mapping[str, str]
    ) -> str | None:
        """What the actor lacks to give the variant its item."""
        if items[row.pk]:
            return None
        needed = ["variantinventoryitem", *([] if row.sku in by_sku else ["inventoryitem"])]
        return next((each for name in needed if not self._actor.may(each := f"catalog.add_{name}")), None)

    def _item_of(self, row: ProductVariant, items: Mapping[str, list[str]], by_sku: dict[str, str]) -> str:
        if not items[row.pk]:
            item = by_sku.get(row.sku or "") or self._items.make(**inventory_items.details_of(row)).pk
            if row.sku:
                by_sku[row.sku] = item
            self._links.make(variant_id=row.pk, inventory_item_id=item)
            items[row.pk].append(item)
        return items[row.pk][0]

    def _put_level(
        self, place: Place, level: InventoryLevel | None, parts: Sequence[tuple[str, int, ProductVariant, int]]
    ) -> list[Fault]:
        """Add the differences of all variants that share the level."""
        item, location = place
        reason, before = MovementReason.SET, None
        if level is None:
            level = self._levels.make(inventory_item_id=item, location_id=location)
        else:
            reason, before = MovementReason.ADJUSTMENT, level.stocked_quantity
            self._levels.change(level, {"deleted_at": None})
        after = level.stocked_quantity + sum(part[-1] for part in parts)
        column, faults = f"stock.{location}", []
        for product_id, index, row, difference in parts:
            if difference < 0 and after < 0:
                message = f"Only {max(before or 0, 0)} are in stock: {-difference} cannot be removed."
                faults.append(Fault(product_id, index, column, message))
            elif after > MOST_STOCKED:
                faults.append(Fault(product_id, index, column, f"A location can stock at most {MOST_STOCKED}."))
            else:
                label = f"Stocked at {self._locations[location]}"
                self._variants.note(row, [change_of(label, before, after)])
        self._moves[reason].append(Move(level, after))
        return faults
