"""How PostgreSQL keeps the entries of products.

Triggers add and remove channels one by one, and never read them all: two transactions that change the channels of one
product at once do not see each other's links, but the second waits for the first one's change of the entry.
"""

from catalog.search.triggers import Trigger
from kit.search.text import SPACELESS

FUNCTIONS = (
    # 60,000 bytes of runs make at most 960,000 bytes of suffixes; a tsvector holds 1,048,575.
    f"""
    CREATE OR REPLACE FUNCTION catalog_search_terms(runs text, marked text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        WITH token AS (
            SELECT DISTINCT token FROM unnest(string_to_array(
                substr(runs, 1, CASE WHEN octet_length(runs) > 60000 THEN 15000 ELSE 60000 END), ' '
            )) AS token
        )
        SELECT coalesce(array_to_tsvector(array_agg(term)), ''::tsvector) FROM (
            SELECT substr(token, start, 16) AS term FROM token, generate_series(1, length(token) - CASE
                WHEN octet_length(token) > length(token) AND right(token, 2) ~ '[{SPACELESS}]' THEN 1 ELSE 2
            END) AS start
            UNION ALL
            SELECT ' ' || left(beginning, letters)
            FROM (SELECT token FROM token UNION ALL SELECT unnest(string_to_array(marked, ' '))) AS every(beginning),
                generate_series(1, 2) AS letters
            WHERE beginning <> ''
        ) AS terms
    $$
    """,
    """
    CREATE OR REPLACE FUNCTION catalog_search_ends(marked text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT array_agg(DISTINCT right(found[1], letters))
        FROM regexp_matches(marked, '[^ @]{1,2}@', 'g') AS found, generate_series(2, length(found[1])) AS letters
    $$
    """,
    """
    CREATE OR REPLACE FUNCTION catalog_search_refresh(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        -- After waiting here, the statements below see what the other transaction has committed.
        PERFORM 1 FROM catalog_productsearch WHERE product_id = ANY(ids) ORDER BY product_id FOR NO KEY UPDATE;
        -- As a subquery, the terms would be computed again for each comparison.
        WITH fresh AS MATERIALIZED (
            SELECT id, catalog_search_terms(runs, marked) AS terms, marked
            FROM (
                SELECT product.id,
                    string_agg(split_part(each.document, E'\\n', 1), '' ORDER BY each.id) AS runs,
                    string_agg(split_part(each.document, E'\\n', 2), '' ORDER BY each.id) AS marked
                FROM catalog_product AS product, LATERAL (
                    SELECT product.document, '' AS id
                    UNION ALL
                    SELECT variant.document, variant.id FROM catalog_productvariant AS variant
                    WHERE variant.product_id = product.id AND variant.deleted_at IS NULL
                ) AS each
                WHERE product.id = ANY(ids) GROUP BY product.id
            ) AS texts
        )
        UPDATE catalog_productsearch AS entry SET terms = fresh.terms, marked = fresh.marked
        FROM fresh
        WHERE fresh.id = entry.product_id AND (entry.terms, entry.marked) IS DISTINCT FROM (fresh.terms, fresh.marked);
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION catalog_search_on_product() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' THEN
            DELETE FROM catalog_productsearch WHERE product_id = OLD.id;
            RETURN NULL;
        END IF;
        IF TG_OP = 'INSERT' THEN
            INSERT INTO catalog_productsearch (product_id, terms, marked, is_shown, channels) VALUES (
                NEW.id, '', '', NEW.status = 'published' AND NEW.deleted_at IS NULL,
                (SELECT ' ' || coalesce(string_agg(saleschannel_id || ' ', ''), '')
                FROM catalog_product_sales_channels WHERE product_id = NEW.id)
            );
        ELSIF (OLD.status, OLD.deleted_at) IS DISTINCT FROM (NEW.status, NEW.deleted_at) THEN
            UPDATE catalog_productsearch SET is_shown = NEW.status = 'published' AND NEW.deleted_at IS NULL
            WHERE product_id = NEW.id;
        END IF;
        IF (TG_OP = 'INSERT' OR OLD.document <> NEW.document)
                AND current_setting('catalog.search_is_paused', true) IS DISTINCT FROM 'yes' THEN
            PERFORM catalog_search_refresh(ARRAY[NEW.id]);
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION catalog_search_on_variant() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('catalog.search_is_paused', true) IS DISTINCT FROM 'yes' THEN
            PERFORM catalog_search_refresh(CASE TG_OP
                WHEN 'INSERT' THEN ARRAY[NEW.product_id]
                WHEN 'DELETE' THEN ARRAY[OLD.product_id]
                ELSE ARRAY[OLD.product_id, NEW.product_id]
            END);
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE OR REPLACE FUNCTION catalog_search_on_channel() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'INSERT' THEN
            UPDATE catalog_productsearch SET channels = replace(channels, ' ' || OLD.saleschannel_id || ' ', ' ')
            WHERE product_id = OLD.product_id;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            UPDATE catalog_productsearch SET channels = channels || NEW.saleschannel_id || ' '
            WHERE product_id = NEW.product_id;
        END IF;
        RETURN NULL;
    END $$
    """,
)

_PRODUCT, _VARIANT, _CHANNEL = "catalog_product", "catalog_productvariant", "catalog_product_sales_channels"

TRIGGERS = (
    Trigger(
        "catalog_search_product_written",
        _PRODUCT,
        "AFTER INSERT OR DELETE OR UPDATE OF document, status, deleted_at",
        "EXECUTE FUNCTION catalog_search_on_product()",
    ),
    Trigger(
        "catalog_search_variant_put",
        _VARIANT,
        "AFTER INSERT OR DELETE",
        "EXECUTE FUNCTION catalog_search_on_variant()",
    ),
    Trigger(
        "catalog_search_variant_changed",
        _VARIANT,
        "AFTER UPDATE OF document, deleted_at, product_id",
        "EXECUTE FUNCTION catalog_search_on_variant()",
        only_if="(OLD.document, OLD.deleted_at, OLD.product_id) "
        "IS DISTINCT FROM (NEW.document, NEW.deleted_at, NEW.product_id)",
    ),
    Trigger(
        "catalog_search_channel_written",
        _CHANNEL,
        "AFTER INSERT OR DELETE OR UPDATE",
        "EXECUTE FUNCTION catalog_search_on_channel()",
    ),
)

INDEXES = {
    # New entries wait in a list of 1 MB, which searches read through, and are then put in together: ten times cheaper.
    "catalog_productsearch_terms": "ON catalog_productsearch USING gin (terms) WITH (gin_pending_list_limit = 1024)",
    "catalog_productvariant_document": "ON catalog_productvariant USING gin (document gin_trgm_ops)",
    "catalog_productcategory_document": "ON catalog_productcategory USING gin (document gin_trgm_ops)",
}

MISSING = """
    INSERT INTO catalog_productsearch (product_id, terms, marked, is_shown, channels)
    SELECT id, '', '', false, ' ' FROM catalog_product
    WHERE id = ANY(%s) ON CONFLICT (product_id) DO NOTHING
"""
HOLD = "SELECT 1 FROM catalog_productsearch WHERE product_id = ANY(%s) ORDER BY product_id FOR UPDATE"
"""Locks the entries: other changes of channels and statuses wait, and then apply to what SHOWN has written."""
SHOWN = """
    UPDATE catalog_productsearch AS entry SET is_shown = fresh.is_shown, channels = fresh.channels
    FROM (
        SELECT id, status = 'published' AND deleted_at IS NULL AS is_shown, ' ' || coalesce((
            SELECT string_agg(saleschannel_id || ' ', '' ORDER BY saleschannel_id)
            FROM catalog_product_sales_channels AS link WHERE link.product_id = product.id
        ), '') AS channels
        FROM catalog_product AS product WHERE id = ANY(%s)
    ) AS fresh
    WHERE fresh.id = entry.product_id
        AND (entry.is_shown, entry.channels) IS DISTINCT FROM (fresh.is_shown, fresh.channels)
"""
REFRESH = "SELECT catalog_search_refresh(%s)"
PAUSE = "SELECT set_config('catalog.search_is_paused', 'yes', true)"
RESUME = "SELECT set_config('catalog.search_is_paused', '', true)"
