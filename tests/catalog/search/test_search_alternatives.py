"""Searches with deleted products, and alternatives of which one is a search, find what the store may see."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import prefetch_related_objects

from catalog.models import Product, ProductCollection, ProductTag
from catalog.states import ProductStatus
from kit.reads.lists.search_pages import FAR
from kit.reads.lists.search_parts import FEW
from kit.values.timestamps import now
from shop.models import SalesChannel
from tests.catalog.listings.test_product_counts import default
from tests.conftest import MakeOnce
from tests.contract.callers import Caller, storefront
from tests.factories.apikeys import publishable_key
from tests.factories.products import ProductCollectionFactory, ProductFactory
from tests.factories.shop import SalesChannelFactory
from tests.kit.reads.search_limits import search_limits

pytestmark = [pytest.mark.every(3), pytest.mark.django_db]

Holds = Callable[[Product], bool]


def has(word: str) -> Holds:
    return lambda product: word in f"{product.title} {product.handle}".lower()


CONDITIONS: dict[str, Holds] = {
    "q=p": has("p"),  # all of them: near the beginning of the list, a page is filled by testing its first rows
    "q=tea": has("tea"),
    "$or[0][q]=tea&$or[1][handle]=p7": lambda product: has("tea")(product) or product.handle == "p7",
    "$or[0][q]=tea&$or[1][q]=cup&$or[2][is_giftcard]=true": lambda product: (
        has("tea")(product) or has("cup")(product) or product.is_giftcard
    ),
    "$or[0][q]=tea&$or[1][handle]=p7&is_giftcard=false": lambda product: (
        (has("tea")(product) or product.handle == "p7") and not product.is_giftcard
    ),
    "q=cup&$or[0][q]=red&$or[1][is_giftcard]=true": lambda product: (
        has("cup")(product) and (has("red")(product) or product.is_giftcard)
    ),
    "$or[0][q]=tea&$or[0][is_giftcard]=true&$or[1][q]=cup": lambda product: (
        (has("tea")(product) and product.is_giftcard) or has("cup")(product)
    ),
    "$or[0][q]=tea&$or[1][tag_id]=ptag_red": lambda product: has("tea")(product) or product.tags.exists(),
}


@pytest.fixture(scope="module")
def elsewhere(make_once: MakeOnce) -> SalesChannel:
    made: SalesChannel = make_once(lambda: SalesChannelFactory(name="Elsewhere"))
    return made


@pytest.fixture(scope="module")
def products(make_once: MakeOnce, elsewhere: SalesChannel) -> list[Product]:
    made: list[Product] = make_once(lambda: make_products(elsewhere))
    return made


def make_products(elsewhere: SalesChannel) -> list[Product]:
    """Products with channels and tags."""
    dice = random.Random(3)  # noqa: S311 - the same products each time
    tag = ProductTag.objects.create(id="ptag_red", value="Red")
    collections: list[ProductCollection | None] = [
        ProductCollectionFactory(title=title, handle=f"{title}-{place}", deleted_at=deleted_at)
        for place, (title, deleted_at) in enumerate([("B", None), ("a", None), ("B", None), ("A", now())])
    ]
    products = [
        ProductFactory(
            title=dice.choice(["Red tea", "Red cup", "Cup of tea", "Green tea", "Plate"]),
            handle=f"p{number}",
            collection=[None, *collections][number % 5],
            is_giftcard=dice.random() < 0.3,
            status=dice.choice([*[ProductStatus.PUBLISHED] * 4, ProductStatus.DRAFT]),
            deleted_at=dice.choice([None, None, None, now()]),
            sales_channels=dice.choice([[default()], [default(), elsewhere], [elsewhere], []]),
        )
        for number in range(40)
    ]
    for product in products[::3]:
        product.tags.add(tag)
    prefetch_related_objects(products, "sales_channels", "tags")
    return products


@pytest.mark.parametrize(("few", "far"), [(0, 0), (3, FAR), (10, FAR), (FEW, FAR)])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_they_find_what_the_store_may_see(
    condition: str, few: int, far: int, products: list[Product], *, elsewhere: SalesChannel
) -> None:
    with search_limits(few, far):
        compare(condition, products, elsewhere)


def compare(condition: str, products: list[Product], elsewhere: SalesChannel) -> None:
    for channels in ((default(),), (default(), elsewhere)):
        store = storefront(publishable_key(*channels))
        for with_deleted in (False, True):
            expected = [
                product
                for product in products
                if product.status == ProductStatus.PUBLISHED
                and (with_deleted or product.deleted_at is None)
                and set(product.sales_channels.all()) & set(channels)
                and CONDITIONS[condition](product)
            ]
            assert any(product.deleted_at for product in expected) == with_deleted
            for order, value in orders(with_deleted).items():
                rows = [each.pk for each in sorted(expected, key=lambda product: (value(product), product.pk))]
                assert pages(store, condition, with_deleted, order) == rows
                assert pages(store, condition, with_deleted, f"-{order}") == rows[::-1]


def orders(with_deleted: bool) -> dict[str, Callable[[Product], Any]]:
    """What lists are sorted by, with each product's value. A deleted collection counts as none, which comes last."""

    def collection(product: Product) -> tuple[bool, str]:
        shown = product.collection
        if shown is None or (shown.deleted_at and not with_deleted):
            return True, ""
        return False, shown.title

    return {
        "id": lambda product: product.pk,
        "title": lambda product: product.title,
        "collection.title": collection,
    }


def pages(store: Caller, condition: str, with_deleted: bool, order: str) -> list[str]:
    """The ids of all pages of the list; each shows the number of all."""
    found: list[str] = []
    while True:
        query = f"fields=id&limit=3&offset={len(found)}&order={order}&{condition}"
        page = store.get("/store/products", f"{query}&with_deleted={str(with_deleted).lower()}").json()
        found += [product["id"] for product in page["products"]]
        assert len(found) <= page["count"]
        if not page["products"]:
            assert page["count"] == len(found)
            return found
