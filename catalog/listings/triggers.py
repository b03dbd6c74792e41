"""Triggers that list products, for every client of the database.

A migration that changes the table of products or of their links to sales channels starts with `remove` and ends with
`install` for that table (see kit/database/triggers.py). `verify_ledger` lists missing triggers.
"""

from collections.abc import Iterator

from catalog.listings.counts.queries import LINKS, PRODUCTS
from catalog.listings.queries import COPIED, delete, entries_to_lock, expected_rows, hidden_links, upsert
from kit.database import triggers
from kit.database.triggers import DELETE, INSERT, UPDATE, Trigger, TriggerSet

_CHANGING = ("status", "deleted_at", *COPIED)
"""The columns of a product that its rows depend on."""

FUNCTION = "catalog_list_products"
_CREATE_FUNCTION = f"""
CREATE OR REPLACE FUNCTION {FUNCTION}(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- After waiting here, the statements below see what the other transaction has committed.
    PERFORM {entries_to_lock("= ANY(ids)")};
    {delete(hidden_links("link.product_id = ANY(ids)"))};
    {upsert(expected_rows("link.product_id = ANY(ids)"))};
END $$
"""
_DELETE_REMOVED = delete("SELECT saleschannel_id, product_id FROM removed")
_UPSERT_ADDED = upsert(expected_rows(links="added"))
_PRODUCT_INSERTED, _PRODUCT_UPDATED = "catalog_product_is_listed", "catalog_product_is_relisted"
_LINK_INSERTED, _LINK_UPDATED, _LINK_DELETED = (
    "catalog_link_is_listed",
    "catalog_link_is_relisted",
    "catalog_link_is_unlisted",
)


def _triggers(vendor: str, table: str) -> list[Trigger]:
    every = _on_postgresql() if vendor == "postgresql" else _on_sqlite()
    return [trigger for trigger in every if trigger.table == table]


def _on_postgresql() -> Iterator[Trigger]:
    old, new = ((f"({', '.join(f'{row}.{column}' for column in _CHANGING)})") for row in ("OLD", "NEW"))
    each = f"FOR EACH ROW WHEN ({old} IS DISTINCT FROM {new})"
    added = upsert(expected_rows(products="added"))
    yield triggers.on_postgresql(_PRODUCT_INSERTED, PRODUCTS, INSERT, added)
    yield triggers.on_postgresql(_PRODUCT_UPDATED, PRODUCTS, UPDATE, f"PERFORM {FUNCTION}(ARRAY[NEW.id])", each=each)
    yield triggers.on_postgresql(_LINK_INSERTED, LINKS, INSERT, _UPSERT_ADDED)
    yield triggers.on_postgresql(_LINK_UPDATED, LINKS, UPDATE, f"{_DELETE_REMOVED}; {_UPSERT_ADDED}")
    yield triggers.on_postgresql(_LINK_DELETED, LINKS, DELETE, _DELETE_REMOVED)


def _on_sqlite() -> Iterator[Trigger]:
    upsert_product, upsert_link = (upsert(expected_rows(f"{row}.id = NEW.id")) for row in ("product", "link"))
    delete_link = delete("SELECT OLD.saleschannel_id, OLD.product_id")
    updated = f"{delete(hidden_links('product.id = NEW.id'))}; {upsert_product}"
    yield triggers.on_sqlite(_PRODUCT_INSERTED, PRODUCTS, INSERT, upsert_product)
    yield triggers.on_sqlite(_PRODUCT_UPDATED, PRODUCTS, f"{UPDATE} OF {', '.join(_CHANGING)}", updated)
    yield triggers.on_sqlite(_LINK_INSERTED, LINKS, INSERT, upsert_link)
    yield triggers.on_sqlite(_LINK_UPDATED, LINKS, UPDATE, f"{delete_link}; {upsert_link}")
    yield triggers.on_sqlite(_LINK_DELETED, LINKS, DELETE, delete_link)


_SET = TriggerSet(_triggers, parts=(PRODUCTS, LINKS), functions=(_CREATE_FUNCTION,))
install, remove, missing, of = _SET.install, _SET.remove, _SET.missing, _SET.of
