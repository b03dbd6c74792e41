"""Measures lists of products in the environment of a database that many_products has filled; writes JSON. See large."""

import sys
from collections.abc import Callable
from functools import partial

import django
import orjson

django.setup()

from django.db import connection

from catalog.api.resources import PRODUCTS
from catalog.models import Product, ProductCategory, ProductCollection, ProductTag
from kit.domain.actor import Actor
from kit.rest.requests.query_string import parse_query
from shop.models import Region, Store
from tests.bench.order_lists import cost
from tests.plans import plans_of


def queries() -> dict[str, str]:
    """By name; those of the default fields with prices, then what is hard in a large shop, with few fields."""
    count = Product.objects.count()
    ids = Product.objects.order_by("pk").values_list("pk", "handle", "title")
    middle, handle, title = ids[count // 2]
    group, collection, tag = (
        model.objects.order_by("pk")[1].pk for model in (ProductCategory, ProductCollection, ProductTag)
    )
    page = f"limit=20&region_id={Region.objects.get().pk}"
    few = "limit=20&fields=id,title"
    return {
        "page": page,
        "by id": f"{page}&id={middle}",
        "by handle": f"{page}&handle={handle}",
        "category of 50": f"{page}&category_id={group}",
        "collection of 2,000": f"{page}&collection_id={collection}",
        "tag of 2,000": f"{page}&tag_id={tag}",
        "by created_at": f"{page}&order=-created_at",
        "by title": f"{page}&order=title",
        "word in 100": f"{page}&q={title.split()[1]}",
        "id[$gt], last 5,000": f"{few}&order=id&id[$gt]={ids[count - 5000][0]}",
        "id, at 5,000": f"{few}&order=id&offset=5000",
        "title, at 5,000": f"{few}&order=title&offset=5000",
        "created_at, at 5,000": f"{few}&order=created_at&offset=5000",
        "id, in the middle": f"{few}&order=id&offset={count * 9 // 20}",
        "title, in the middle": f"{few}&order=title&offset={count * 9 // 20}",
        "collection, at 1,700": f"{few}&order=title&collection_id={collection}&offset=1700",
        "word in 40 %, by title": f"{few}&q=durable&order=title",
        "count alone": "limit=0",
    }


def _plan(read: Callable[[], object]) -> str:
    """How PostgreSQL reads the products and their count."""
    found = plans_of(read, options="(ANALYZE, BUFFERS)")
    return "\n".join(plan for text, plan in found if 'FROM "catalog_product"' in text or "catalog_productcount" in text)


def main() -> None:
    actor = Actor("anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel_id,))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (server,) = cursor.fetchone()
    results = {}
    asked = {name: PRODUCTS.list_query(parse_query(text)) for name, text in queries().items()}
    # PostgreSQL plans a statement each time until its sixth run; most pages share the statements of related rows.
    for _ in range(6):
        PRODUCTS.page(asked["page"], actor)
    for name, query in asked.items():
        read = partial(PRODUCTS.page, query, actor)
        found = read().count
        web, database = cost(read, server)
        results[name] = {"found": found, "web": web, "database": database, "plan": _plan(read)}
    sys.stdout.buffer.write(orjson.dumps(results))


if __name__ == "__main__":
    main()
