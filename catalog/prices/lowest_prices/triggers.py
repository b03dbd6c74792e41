"""Triggers that mark the lowest prices of products as stale, for every client of the database.

A migration that changes one of these tables starts with `remove` and ends with `install` for it (see
kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from kit.derived.stale_marks import Marks, Source

TABLE = "catalog_staleprice"
PRICE_SET, PRICE, PRODUCT = "price_set", "price", "product"

SOURCES = {
    "catalog_price": Source(
        "price",
        PRICE_SET,
        "price_set_id",
        ("price_set_id", "price_list_id", "currency_code", "amount", "min_quantity", "deleted_at"),
    ),
    "catalog_pricerule": Source("rule", PRICE, "price_id", ("price_id", "deleted_at")),
    "catalog_productvariant": Source("variant", PRODUCT, "product_id", ("product_id", "price_set_id", "deleted_at")),
}
"""By table."""

_SET = Marks(TABLE, "catalog_price", SOURCES).trigger_set()
install, remove, missing, of = _SET.install, _SET.remove, _SET.missing, _SET.of
