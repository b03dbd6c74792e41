"""How SQLite keeps the entries of products, and the index over them."""

from catalog.search.triggers import Trigger

_TERMS = """(
    SELECT replace(product.document || coalesce((
        SELECT group_concat(document, '') FROM (
            SELECT variant.document FROM catalog_productvariant AS variant
            WHERE variant.product_id = product.id AND variant.deleted_at IS NULL ORDER BY variant.id
        )
    ), ''), ' ', '  ')
    FROM catalog_product AS product WHERE product.id = catalog_productsearch.product_id
)"""
_CHANNELS = """(
    SELECT ' ' || coalesce(group_concat(saleschannel_id || ' ', ''), '') FROM catalog_product_sales_channels AS link
    WHERE link.product_id = catalog_productsearch.product_id
)"""
_RUNNING = "NOT EXISTS (SELECT 1 FROM catalog_search_pause)"


def _refresh(condition: str) -> str:
    return f"UPDATE catalog_productsearch SET terms = {_TERMS} WHERE {condition} AND terms IS NOT {_TERMS};"


def _channels(condition: str) -> str:
    return f"UPDATE catalog_productsearch SET channels = {_CHANNELS} WHERE {condition};"


def _entry(alias: str) -> str:
    shown = f"{alias}.status = 'published' AND {alias}.deleted_at IS NULL"
    return (
        "INSERT INTO catalog_productsearch (product_id, terms, marked, is_shown, channels) "
        f"VALUES ({alias}.id, '', '', {shown}, ' ');"
    )


_PRODUCT, _VARIANT, _CHANNEL = "catalog_product", "catalog_productvariant", "catalog_product_sales_channels"
_ENTRY = "catalog_productsearch"
_INTO_INDEX = "INSERT INTO catalog_product_fts (rowid, terms) VALUES (NEW.id, NEW.terms);"
_OUT_OF_INDEX = (
    "INSERT INTO catalog_product_fts (catalog_product_fts, rowid, terms) VALUES ('delete', OLD.id, OLD.terms);"
)

TABLES = (
    """
    CREATE VIRTUAL TABLE catalog_product_fts
    USING fts5(terms, content='catalog_productsearch', content_rowid='id', tokenize='trigram case_sensitive 1')
    """,
    "CREATE TABLE catalog_search_pause (is_paused bool NOT NULL)",
)
TRIGGERS = (
    Trigger(
        "catalog_search_product_made",
        _PRODUCT,
        "AFTER INSERT",
        f"BEGIN {_entry('NEW')} {_channels('product_id = NEW.id')} "
        f"{_refresh(f'product_id = NEW.id AND {_RUNNING}')} END",
    ),
    Trigger(
        "catalog_search_product_shown",
        _PRODUCT,
        "AFTER UPDATE OF status, deleted_at",
        "BEGIN UPDATE catalog_productsearch SET is_shown = NEW.status = 'published' AND NEW.deleted_at IS NULL "
        "WHERE product_id = NEW.id; END",
        only_if="OLD.status IS NOT NEW.status OR OLD.deleted_at IS NOT NEW.deleted_at",
    ),
    Trigger(
        "catalog_search_product_changed",
        _PRODUCT,
        "AFTER UPDATE OF document",
        f"BEGIN {_refresh('product_id = NEW.id')} END",
        only_if=f"OLD.document IS NOT NEW.document AND {_RUNNING}",
    ),
    Trigger(
        "catalog_search_product_removed",
        _PRODUCT,
        "AFTER DELETE",
        "BEGIN DELETE FROM catalog_productsearch WHERE product_id = OLD.id; END",
    ),
    Trigger(
        "catalog_search_variant_made",
        _VARIANT,
        "AFTER INSERT",
        f"BEGIN {_refresh('product_id = NEW.product_id')} END",
        only_if=_RUNNING,
    ),
    Trigger(
        "catalog_search_variant_changed",
        _VARIANT,
        "AFTER UPDATE OF document, deleted_at, product_id",
        f"BEGIN {_refresh('product_id IN (OLD.product_id, NEW.product_id)')} END",
        only_if="(OLD.document IS NOT NEW.document OR OLD.deleted_at IS NOT NEW.deleted_at "
        f"OR OLD.product_id IS NOT NEW.product_id) AND {_RUNNING}",
    ),
    Trigger(
        "catalog_search_variant_removed",
        _VARIANT,
        "AFTER DELETE",
        f"BEGIN {_refresh('product_id = OLD.product_id')} END",
        only_if=_RUNNING,
    ),
    Trigger(
        "catalog_search_channel_added",
        _CHANNEL,
        "AFTER INSERT",
        f"BEGIN {_channels('product_id = NEW.product_id')} END",
    ),
    Trigger(
        "catalog_search_channel_changed",
        _CHANNEL,
        "AFTER UPDATE",
        f"BEGIN {_channels('product_id IN (OLD.product_id, NEW.product_id)')} END",
    ),
    Trigger(
        "catalog_search_channel_removed",
        _CHANNEL,
        "AFTER DELETE",
        f"BEGIN {_channels('product_id = OLD.product_id')} END",
    ),
    Trigger("catalog_search_entry_made", _ENTRY, "AFTER INSERT", f"BEGIN {_INTO_INDEX} END"),
    Trigger(
        "catalog_search_entry_changed",
        _ENTRY,
        "AFTER UPDATE OF terms",
        f"BEGIN {_OUT_OF_INDEX} {_INTO_INDEX} END",
        only_if="OLD.terms IS NOT NEW.terms",
    ),
    Trigger("catalog_search_entry_removed", _ENTRY, "AFTER DELETE", f"BEGIN {_OUT_OF_INDEX} END"),
)

MISSING = """
    INSERT INTO catalog_productsearch (product_id, terms, marked, is_shown, channels)
    SELECT id, '', '', false, ' ' FROM catalog_product
    WHERE id IN (SELECT value FROM json_each(%s)) ON CONFLICT (product_id) DO NOTHING
"""
_IDS = "product_id IN (SELECT value FROM json_each(%s))"
HOLD = f"SELECT 1 FROM catalog_productsearch WHERE {_IDS}"
"""Locks nothing: a transaction that writes is alone anyway."""
SHOWN = f"""
    UPDATE catalog_productsearch SET channels = {_CHANNELS}, is_shown = (
        SELECT status = 'published' AND deleted_at IS NULL FROM catalog_product WHERE id = product_id
    ) WHERE {_IDS}
"""
REFRESH = _refresh(_IDS).removesuffix(";")
PAUSE = "INSERT INTO catalog_search_pause VALUES (1)"
RESUME = "DELETE FROM catalog_search_pause"
