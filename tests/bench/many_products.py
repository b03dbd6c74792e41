"""A million products with three million variants, computed by PostgreSQL: `python -m tests.bench.many_products COUNT`.

Runs in the environment of an empty database. A category always has 50 products, a collection and a tag 2,000, and a
word 100, however many products there are; one in ten products is a draft. What makes up a page is there, stock is not.
"""

import sys
import time
from collections.abc import Mapping
from typing import Any

import django

django.setup()

from django.core.management import call_command
from django.db import connection

from catalog import models
from catalog.listings.counts.recounting import recount
from catalog.listings.group_queries import GROUP_LISTINGS
from catalog.listings.queries import expected_rows, upsert
from catalog.prices.lowest_prices import queries as lowest_prices
from shop.models import Region, Store
from tests.bench.series import insert, without_indexes

PER_CATEGORY, PER_COLLECTION, PER_TAG, PER_WORD = 50, 2000, 2000, 100
_COMMON = "soft light warm durable made fit easy care long short cotton wool steel design home travel"
_SIZES = "(ARRAY['Small', 'Medium', 'Large'])[1 + k]"


def _id(prefix: str, number: str) -> str:
    return f"'{prefix}_01BENCH' || lpad(({number})::text, 19, '0')"


def _document(text: str, *, title: str, codes: str) -> str:
    """As kit/search/text.py makes it, of texts without marks and accents; codes is one word."""
    tokens = f"SELECT DISTINCT unnest(string_to_array(lower({text}), ' ')) AS token"
    runs = f"(SELECT string_agg(' ' || token, '' ORDER BY token COLLATE \"C\") FROM ({tokens}) AS tokens)"
    ranked = f"chr(11) || ' ' || lower({codes}) || chr(10) || chr(9) || replace(lower({title}), ' ', chr(9))"
    return f"{runs} || chr(10) || chr(10) || {ranked}"


_TITLE = "initcap(substr(md5(n::text), 1, 6)) || ' Item' || lpad((n % {words})::text, 6, '0')"
_DESCRIPTION = (
    f"(SELECT string_agg((string_to_array('{_COMMON}', ' '))[1 + (n * 7 + place * place) % 16], ' ') "
    "FROM generate_series(1, 12) AS place)"
)
_PRODUCT, _VARIANT, _SKU = _id("prod", "n"), _id("variant", "n * 3 + k"), "'SKU' || lpad((n * 3 + k)::text, 8, '0')"
_PRICE_SET = _id("pset", "n * 3 + k")
_NAMED: tuple[tuple[Any, str, dict[str, str]], ...] = (
    (
        models.ProductCollection,
        "{collections}",
        {"id": _id("pcol", "n"), "title": "'Collection ' || n", "handle": "'collection' || n"},
    ),
    (models.ProductTag, "{tags}", {"id": _id("ptag", "n"), "value": "'Tag ' || n"}),
    (
        models.ProductCategory,
        "{categories}",
        {
            "id": _id("pcat", "n"),
            "name": "'Category ' || n",
            "handle": "'category' || n",
            "rank": "n",
            "path": _id("pcat", "n"),
            "is_visible": "true",
        },
    ),
)
"""What groups products: how many there are, and their columns."""
_PRODUCTS: tuple[tuple[Any, dict[str, str]], ...] = (
    (
        models.Product,
        {
            "id": _PRODUCT,
            "title": _TITLE,
            "handle": "'product' || n",
            "description": _DESCRIPTION,
            "status": "CASE WHEN n / 7 % 10 = 9 THEN 'draft' ELSE 'published' END",
            "thumbnail": "'https://shop.example/media/' || n || '.jpg'",
            "collection_id": _id("pcol", "n % {collections}"),
            "created_at": "timestamptz '2024-01-01' + n::bigint * 7919 % {count} * interval '1 minute'",
            "document": _document(
                f"{_TITLE} || ' product' || n || ' ' || {_DESCRIPTION}", title=_TITLE, codes="'product' || n"
            ),
        },
    ),
    (models.Product.sales_channels.through, {"product_id": _PRODUCT, "saleschannel_id": "'{channel}'"}),
    (
        models.Product.categories.through,
        {"product_id": _PRODUCT, "productcategory_id": _id("pcat", "n % {categories}")},
    ),
    (models.Product.tags.through, {"product_id": _PRODUCT, "producttag_id": _id("ptag", "n % {tags}")}),
    (
        models.ProductImage,
        {"id": _id("img", "n"), "url": "'https://shop.example/media/' || n || '.jpg'", "product_id": _PRODUCT},
    ),
    (models.ProductOption, {"id": _id("opt", "n"), "title": "'Size'", "product_id": _PRODUCT}),
)
_VARIANTS: tuple[tuple[Any, dict[str, str]], ...] = (
    (models.ProductOptionValue, {"id": _id("optval", "n * 3 + k"), "value": _SIZES, "option_id": _id("opt", "n")}),
    (models.PriceSet, {"id": _PRICE_SET}),
    (
        models.ProductVariant,
        {
            "id": _VARIANT,
            "title": _SIZES,
            "sku": _SKU,
            "variant_rank": "k",
            "product_id": _PRODUCT,
            "price_set_id": _PRICE_SET,
            "document": _document(f"{_SKU} || ' ' || {_SIZES}", title=_SIZES, codes=_SKU),
        },
    ),
    (
        models.ProductVariant.options.through,
        {"productvariant_id": _VARIANT, "productoptionvalue_id": _id("optval", "n * 3 + k")},
    ),
    (
        models.Price,
        {
            "id": _id("price", "n * 3 + k"),
            "price_set_id": _PRICE_SET,
            "currency_code": "'eur'",
            "amount": "50000 + (n * 3 + k)::bigint * 7919 % 2000000",
        },
    ),
)
_ENTRIES = (
    "INSERT INTO catalog_productsearch (product_id, terms, marked, is_shown, channels) "
    "SELECT id, catalog_search_terms(split_part(document, chr(10), 1) || "
    "(SELECT string_agg(split_part(variant.document, chr(10), 1), '') FROM catalog_productvariant AS variant "
    "WHERE variant.product_id = product.id), ''), '', status = 'published', ' {channel} ' "
    "FROM catalog_product AS product"
)


def fill_many_products(count: int) -> None:
    """Fill the tables in the order of what their rows refer to, each with its indexes."""
    europe = Region.objects.create(name="Europe", currency_id="eur")
    Store.objects.update(default_region=europe)
    words: dict[str, Any] = {
        "count": count,
        "channel": Store.objects.get().default_sales_channel_id,
        "words": max(1, count // PER_WORD),
        "categories": max(1, count // PER_CATEGORY),
        "collections": max(1, count // PER_COLLECTION),
        "tags": max(1, count // PER_TAG),
    }
    for model, size, values in _NAMED:
        _fill(model, values, words, source=f"generate_series(0, {size.format(**words)} - 1) AS n")
    products = f"generate_series(0, {count} - 1) AS n"
    for model, values in _PRODUCTS:
        _fill(model, values, words, source=products)
    for model, values in _VARIANTS:
        _fill(model, values, words, source=f"{products}, generate_series(0, 2) AS k")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        for table, statement in (
            ("catalog_productsearch", _ENTRIES.format(**words)),
            ("catalog_listedproduct", upsert(expected_rows())),
            *((listing.table, listing.insert(listing.expected_rows())) for listing in GROUP_LISTINGS),
            (lowest_prices.TABLE, lowest_prices.insert(lowest_prices.expected_rows())),
        ):
            with without_indexes(table):
                cursor.execute(statement)
            _report(table)
    recount()


def _fill(model: Any, values: Mapping[str, str], words: Mapping[str, Any], *, source: str) -> None:
    table = model._meta.db_table
    with without_indexes(table):
        insert(model, {name: value.format(**words) for name, value in values.items()}, source=source)
    _report(table)


def _report(table: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {table}\n")


def main() -> None:
    call_command("migrate", verbosity=0)
    fill_many_products(int(sys.argv[1]))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


if __name__ == "__main__":
    main()
