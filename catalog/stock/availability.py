"""How many pieces of a variant can be sold from stock."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import F, OuterRef, QuerySet, Subquery, Sum

from catalog.models import InventoryLevel, VariantInventoryItem
from kit.database.raw_sql import Row
from kit.reads.declarations.computed import Batch
from kit.reads.sql.keyed_rows import KeyedRows
from shop.models import StockLocation


def load_inventory_quantity(batch: Batch) -> list[int | None]:
    """The sellable pieces for each row (a variant's id, whether its inventory is managed); None if it is not managed.

    A variant has as many pieces as its scarcest item allows, and none without items. An item counts with its stock less
    its reservations at all locations of the actor's sales channels; a deleted item counts as none. One statement.
    """
    return _quantities(batch, _ITEMS.read(_managed(batch), batch.actor.sales_channel_ids))


def load_total_quantity(batch: Batch) -> list[int | None]:
    """Like load_inventory_quantity, at all locations instead of those of the actor's sales channels."""
    return _quantities(batch, _ALL_ITEMS.read(_managed(batch)))


def pieces_of(variant_ids: Sequence[str], sales_channel_ids: tuple[str, ...]) -> dict[str, int]:
    """The sellable pieces of variants whose inventory is managed, without those that have no items. One statement."""
    return _pieces(_ITEMS.read(variant_ids, sales_channel_ids))


def _managed(batch: Batch) -> list[str]:
    return [variant_id for variant_id, is_managed in batch.rows if is_managed]


def _quantities(batch: Batch, items: Iterable[Row]) -> list[int | None]:
    pieces = _pieces(items)
    return [pieces.get(variant_id, 0) if is_managed else None for variant_id, is_managed in batch.rows]


def _pieces(items: Iterable[Row]) -> dict[str, int]:
    pieces: dict[str, int] = {}
    for variant_id, _, required, available in items:
        enough_for = max(available or 0, 0) // required
        pieces[variant_id] = min(pieces.get(variant_id, enough_for), enough_for)
    return pieces


class StockedItem(NamedTuple):
    """An item of a variant: how many of it one piece requires, and how many are available."""

    variant_id: str
    inventory_item_id: str
    required_quantity: int
    available: int


def stocked_items(variant_ids: Sequence[str], sales_channel_id: str) -> list[StockedItem]:
    """The items of the variants, in no order, with what the sales channel has available. One statement."""
    rows = _ITEMS.read(variant_ids, (sales_channel_id,))
    return [
        StockedItem(variant_id, item_id, required, available or 0) for variant_id, item_id, required, available in rows
    ]


def _items_in_channels(sales_channel_ids: tuple[str, ...]) -> QuerySet[VariantInventoryItem]:
    return _items_at(StockLocation.objects.not_deleted().filter(sales_channels__in=sales_channel_ids))


def _items_at(locations: QuerySet[StockLocation]) -> QuerySet[VariantInventoryItem]:
    levels = InventoryLevel.objects.not_deleted().filter(location__in=locations, inventory_item__deleted_at=None)
    of_item = levels.filter(inventory_item=OuterRef("inventory_item_id")).order_by().values("inventory_item")
    available = of_item.annotate(available=Sum(F("stocked_quantity") - F("reserved_quantity"))).values("available")
    links: QuerySet[VariantInventoryItem] = VariantInventoryItem.objects.not_deleted()
    return links.annotate(available=Subquery(available))


_COLUMNS = ("variant_id", "inventory_item_id", "required_quantity", "available")
_ITEMS = KeyedRows(_items_in_channels, key="variant_id", columns=_COLUMNS)
_ALL_ITEMS = KeyedRows(lambda: _items_at(StockLocation.objects.not_deleted()), key="variant_id", columns=_COLUMNS)
