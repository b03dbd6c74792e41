"""Triggers that mark the lowest stock of products as stale, for every client of the database.

A migration that changes one of these tables starts with `remove` and ends with `install` for it (see
kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from kit.database.triggers import DELETE, UPDATE
from kit.derived.stale_marks import Marks, Source

TABLE = "catalog_stalestock"
ITEM, VARIANT, PRODUCT, LOCATION = "item", "variant", "product", "location"

SOURCES = {
    "catalog_inventorylevel": Source(
        "level", ITEM, "inventory_item_id", ("stocked_quantity", "reserved_quantity", "deleted_at")
    ),
    "catalog_inventoryitem": Source("item", ITEM, "id", ("deleted_at",), (UPDATE,)),
    "catalog_variantinventoryitem": Source(
        "link", VARIANT, "variant_id", ("variant_id", "inventory_item_id", "deleted_at")
    ),
    "catalog_productvariant": Source(
        "variant", PRODUCT, "product_id", ("product_id", "manage_inventory", "deleted_at"), (UPDATE, DELETE)
    ),
    "shop_stocklocation": Source("location", LOCATION, "id", ("deleted_at",), (UPDATE,)),
}
"""By table. Without INSERT where a new row has no stock yet, without DELETE where levels or links are deleted, too."""

_SET = Marks(TABLE, "catalog_stock", SOURCES).trigger_set()
install, remove, missing, of = _SET.install, _SET.remove, _SET.missing, _SET.of
