"""What PostgreSQL reads for a page that begins at an id: no more rows than it shows, wherever the page begins."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from catalog.api import resources as catalog
from catalog.models import Product, ProductTag
from commerce.kit.api.query_string import parse_query
from commerce.kit.core.actor import Actor
from commerce.kit.projection.resources import Resource
from commerce.shop.models import Store
from tests.architecture.many_products import stock_products
from tests.architecture.test_query_budgets import know_amounts, stock_regions
from tests.factories.catalog import CategoryFactory

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

PRODUCTS, LIMIT = 1000, 20


@pytest.fixture
def shopper() -> Actor:
    """A storefront of the channel that sells all of many products."""
    category = CategoryFactory()
    stock_products(PRODUCTS, categories=[category.pk] * PRODUCTS, region_id=stock_regions(10))
    know_amounts()
    return Actor("anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel_id,))


def plan_of(resource: Resource, query: str, actor: Actor) -> str:
    """PostgreSQL's plan of the page's rows, as it ran, without that of their count."""
    plans: list[str] = []

    def explain(execute: Callable[..., Any], text: str, parameters: Any, *rest: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF) {text}", parameters)
            plans.append("\n".join(line for (line,) in cursor.fetchall()))
        return execute(text, parameters, *rest)

    with connection.execute_wrapper(explain):
        assert len(resource.page(resource.list_query(parse_query(f"fields=id&{query}")), actor).answers) == LIMIT
    return re.sub(r"\n  InitPlan .*?(?=\n  ->)", "", plans[0], flags=re.DOTALL)


@pytest.mark.parametrize("order", ["order=id&", ""])
@pytest.mark.parametrize(("resource", "model"), [(catalog.PRODUCTS, Product), (catalog.PRODUCT_TAGS, ProductTag)])
def test_a_page_from_an_id_on_reads_no_rows_before_it(
    resource: Resource, model: Any, order: str, shopper: Actor
) -> None:
    last = model.objects.order_by("pk").values_list("pk", flat=True)[PRODUCTS - 100]
    plan = plan_of(resource, f"{order}id[$gt]={last}&limit={LIMIT}", shopper)
    read = [int(rows) * int(loops) for rows, loops in re.findall(r"Scan.*actual rows=(\d+) loops=(\d+)", plan)]
    assert read, plan
    assert max(read) <= LIMIT + 1, plan
    assert "Removed by Filter" not in plan, plan
    assert "Sort" not in plan, plan
