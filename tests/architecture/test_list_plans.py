"""What PostgreSQL reads for a page that begins at an id: no more rows than it shows, wherever the page begins."""

import re
from typing import Any

import pytest

from catalog.api import resources as catalog
from catalog.models import Product, ProductCollection, ProductTag
from kit.domain.actor import Actor
from kit.reads.resources import Resource
from kit.rest.requests.query_string import parse_query
from shop.models import Store
from tests.architecture.many_products import stock_products
from tests.architecture.test_query_budgets import know_amounts, stock_regions
from tests.conftest import MakeOnce
from tests.factories.catalog import CategoryFactory
from tests.kit.reads.search_limits import search_limits
from tests.plans import plan_as_if_large, plans_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

PRODUCTS, LIMIT = 1000, 20


@pytest.fixture(scope="module")
def shopper(make_once: MakeOnce) -> Actor:
    """A storefront of the channel that sells all of many products."""
    found: Actor = make_once(_shopper)
    return found


def _shopper() -> Actor:
    category = CategoryFactory()
    stock_products(PRODUCTS, categories=[category.pk] * PRODUCTS, region_id=stock_regions(10))
    know_amounts()
    return Actor("anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel_id,))


def plan_of(resource: Resource, query: str, actor: Actor, *, counted: bool = False) -> str:
    """PostgreSQL's plan of the page's rows, as it ran. counted: with that of their count."""

    def read() -> None:
        assert len(resource.page(resource.list_query(parse_query(f"fields=id&{query}")), actor).answers) == LIMIT

    _, plan = plans_of(read, options="(ANALYZE, TIMING OFF)")[0]
    return plan if counted else re.sub(r"\n  InitPlan .*?(?=\n  ->)", "", plan, flags=re.DOTALL)


def most_sorted(plan: str) -> int:
    return max((int(rows) for rows in re.findall(r"Sort .*actual rows=(\d+)", plan)), default=0)


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
    assert most_sorted(plan) <= LIMIT, plan


LISTED = {
    "order=id": "catalog_listedproduct_pkey",
    "order=-id": "catalog_listedproduct_pkey",
    "order=title": "catalog_listed_title",
    "order=-title": "catalog_listed_title",
    "order=created_at": "catalog_listed_created",
    "order=-created_at": "catalog_listed_created",
}
"""Orders, and the index that has it."""


@pytest.fixture
def by_index(shopper: Actor) -> None:
    """Plans as of a large shop: 1,000 products are so few that PostgreSQL would read all of them, and sort them."""
    plan_as_if_large("catalog_")


def read_by_index(plan: str) -> dict[str, int]:
    """How many entries of each index the plan has read."""
    found = re.findall(r"Index (?:Only )?Scan (?:Backward )?using (\w+).*actual rows=(\d+) loops=(\d+)", plan)
    return {index: int(rows) * int(loops) for index, rows, loops in found}


@pytest.mark.parametrize("order", LISTED)
def test_an_offset_passes_over_entries_of_one_index(order: str, shopper: Actor, by_index: None) -> None:
    """Nothing is sorted or looked up but the rows of the page."""
    skipped = PRODUCTS // 2
    plan = plan_of(catalog.PRODUCTS, f"{order}&offset={skipped}&limit={LIMIT}", shopper)
    assert read_by_index(plan) == {LISTED[order]: skipped + LIMIT, "catalog_product_pkey": LIMIT}, plan
    assert most_sorted(plan) <= LIMIT, plan


@pytest.mark.parametrize("order", ["title", "-title"])
@pytest.mark.parametrize(
    ("skipped", "read"), [(PRODUCTS // 4, PRODUCTS // 4 + LIMIT), (PRODUCTS * 3 // 4, PRODUCTS // 4)]
)
def test_a_search_far_behind_is_not_sorted(skipped: int, read: int, order: str, shopper: Actor, by_index: None) -> None:
    """Many matches in the order of titles: the listing is read in that order, from the end that is nearer."""
    with search_limits(few=100, far=100):
        plan = plan_of(catalog.PRODUCTS, f"q=product&order={order}&offset={skipped}&limit={LIMIT}", shopper)
    assert read_by_index(plan)["catalog_listed_title"] == read, plan
    assert most_sorted(plan) <= LIMIT, plan


COLLECTIONS = {
    "id": "catalog_listed_collection",
    "-title": "catalog_listed_in_title",
    "title": "catalog_listed_in_title",
    "-created_at": "catalog_listed_in_created",
    "created_at": "catalog_listed_in_created",
}
"""Like LISTED, for the products of a collection."""


@pytest.mark.parametrize("order", COLLECTIONS)
def test_a_collection_is_counted_and_paged_by_an_index_of_it(order: str, shopper: Actor, by_index: None) -> None:
    """One that has half of the products: nothing else is read, and nothing is sorted."""
    half, skipped = PRODUCTS // 2, PRODUCTS // 5
    collection = ProductCollection.objects.order_by("pk").values_list("pk", flat=True)[0]
    some = Product.objects.order_by("pk")[:half].values("pk")
    Product.objects.filter(pk__in=some).update(collection=collection)
    query = f"collection_id={collection}&order={order}&offset={skipped}&limit={LIMIT}"
    plan = plan_of(catalog.PRODUCTS, query, shopper, counted=True)
    scans = re.findall(r"using (\w+) on catalog_listedproduct.*actual rows=(\d+)", plan)
    (counted, _), (paged, _) = scans
    assert [int(rows) for _, rows in scans] == [half, skipped + LIMIT], plan
    assert counted in COLLECTIONS.values(), plan
    assert paged == COLLECTIONS[order], plan
    assert most_sorted(plan) <= LIMIT, plan
