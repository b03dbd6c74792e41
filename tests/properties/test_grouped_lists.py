"""Lists of products by tag and category in random shops, compared with a plain evaluation of each product."""

import random
from datetime import timedelta
from typing import Any

import pytest

from catalog.api.resources import PRODUCTS
from catalog.categories import category_tree
from catalog.listings.listing_invariants import LISTING_INVARIANTS
from catalog.models import Product, ProductCollection, ProductTag
from catalog.states import ProductStatus
from kit.domain.actor import SYSTEM, Actor
from kit.values.timestamps import now
from shop.models import Store
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductFactory, ProductTagFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = [pytest.mark.every(2), pytest.mark.django_db]

TITLES = ["tea", "mug", "book"]
CHANGES, REQUESTS = 10, 12


class Shop:
    """A shop that dice have filled, and that they change."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.channels = [Store.objects.get().default_sales_channel, SalesChannelFactory(), SalesChannelFactory()]
        self.tags = [ProductTagFactory(deleted_at=deleted) for deleted in (None, None, now())]
        roots = [CategoryFactory(), CategoryFactory(is_internal=True)]
        self.categories = [*roots, *(CategoryFactory(parent=dice.choice(roots)) for _ in range(2))]
        self.collections = [ProductCollection.objects.create(title=name, handle=name) for name in ("one", "two")]
        for number in range(24):
            ProductFactory(
                title=dice.choice(TITLES),
                created_at=now() - timedelta(days=dice.randrange(3)),
                collection=dice.choice([None, *self.collections]),
                status=dice.choice([ProductStatus.PUBLISHED] * 4 + [ProductStatus.DRAFT]),
                deleted_at=now() if number % 8 == 0 else None,
                sales_channels=self._some(self.channels),
                tags=self._some(self.tags),
                categories=self._some(self.categories),
            )

    def change(self) -> None:
        dice = self.dice
        product = dice.choice(list(Product.objects.order_by("pk")))
        tag, category = dice.choice(self.tags), dice.choice(self.categories)
        match dice.randrange(9):
            case 0:
                Product.objects.filter(pk=product.pk).update(status=dice.choice(list(ProductStatus)))
            case 1:
                Product.objects.filter(pk=product.pk).update(deleted_at=dice.choice([None, now()]))
            case 2:
                product.sales_channels.set(self._some(self.channels))
            case 3:
                product.tags.set(self._some(self.tags))
            case 4:
                product.categories.set(self._some(self.categories))
            case 5:
                ProductTag.objects.filter(pk=tag.pk).update(deleted_at=dice.choice([None, now()]))
            case 6:
                name = dice.choice(["is_active", "is_internal"])
                category_tree.update(actor=SYSTEM, category_id=category.pk, **{name: dice.choice([True, False])})
            case 7:
                parent = dice.choice([None, *(each.pk for each in self.categories[:2] if each != category)])
                if category in self.categories[2:]:
                    category_tree.move(actor=SYSTEM, category_id=category.pk, parent_id=parent)
            case _:
                product.delete()
                ProductFactory(title=dice.choice(TITLES), sales_channels=self._some(self.channels), tags=[tag])

    def _some(self, rows: list[Any]) -> list[Any]:
        return self.dice.sample(rows, self.dice.randrange(len(rows) + 1))

    def condition(self, depth: int = 0) -> dict[str, Any]:
        dice, found = self.dice, dict[str, Any]()
        ids = {"tag_id": self.tags, "category_id": self.categories, "collection_id": self.collections}
        for name, rows in ids.items():
            if dice.randrange(5) < 2:
                wanted = [row.pk for row in self._some(rows)] or ["none"]
                found[name] = wanted[0] if len(wanted) == 1 and dice.randrange(2) else wanted
        if dice.randrange(6) == 0:
            found["collection_id"] = dice.choice([None, [None, self.collections[0].pk]])
        if dice.randrange(4) == 0:
            ids_of_products = list(Product.objects.values_list("pk", flat=True))
            found["id"] = {dice.choice(["$gt", "$lte", "$ne"]): dice.choice(ids_of_products)}
        if dice.randrange(6) == 0 or (depth and not found):
            found["title"] = dice.choice(TITLES)
        if depth < 2 and dice.randrange(3) == 0:
            found[dice.choice(["$and", "$or"])] = [self.condition(depth + 1) for _ in range(1 + dice.randrange(2))]
        return found


def values_of(product: Product, *, with_deleted: bool) -> dict[str, set[Any]]:
    tags, categories = product.tags.all(), product.categories.filter(is_visible=True)
    if not with_deleted:
        tags, categories = tags.filter(deleted_at=None), categories.filter(in_deleted_branch=False, deleted_at=None)
    return {
        "tag_id": {row.pk for row in tags},
        "category_id": {row.pk for row in categories},
        "collection_id": {product.collection_id},
        "title": {product.title},
        "id": {product.pk},
    }


def holds(condition: dict[str, Any], values: dict[str, set[Any]]) -> bool:
    return all(_holds(name, wanted, values) for name, wanted in condition.items())


def _holds(name: str, wanted: Any, values: dict[str, set[Any]]) -> bool:
    match name, wanted:
        case "$and", parts:
            return all(holds(part, values) for part in parts)
        case "$or", parts:
            return any(holds(part, values) for part in parts)
        case _, {"$gt": bound}:
            return max(values[name]) > bound
        case _, {"$lte": bound}:
            return max(values[name]) <= bound
        case _, {"$ne": other}:
            return values[name] != {other}
        case _, [*several]:
            return bool(values[name] & set(several))
    return wanted in values[name]


@pytest.mark.parametrize("seed", range(4))
def test_pages_and_counts_are_those_of_the_products(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - the same shop and requests each time
    shop = Shop(dice)
    for _ in range(CHANGES):
        shop.change()
        assert [wrong for each in LISTING_INVARIANTS for wrong in each.violations()] == []
        for _ in range(REQUESTS):
            compare(shop, dice)


def compare(shop: Shop, dice: random.Random) -> None:
    channels = dice.sample(shop.channels, 1 + dice.randrange(4) // 3)
    with_deleted = dice.randrange(6) == 0
    condition, order = shop.condition(), dice.choice(["id", "-id", "title", "-title", "created_at", "-created_at"])
    offset, limit = dice.choice([0, 0, 1, 5]), dice.choice([0, 2, 50, 50])
    query = {**condition, "order": order, "offset": str(offset), "limit": str(limit), "fields": "id"}
    shown = Product.objects.filter(status=ProductStatus.PUBLISHED, sales_channels__in=channels).distinct()
    found = [
        product
        for product in (shown if with_deleted else shown.filter(deleted_at=None))
        if holds(condition, values_of(product, with_deleted=with_deleted))
    ]
    column = order.removeprefix("-")
    found.sort(key=lambda row: (getattr(row, column), row.pk), reverse=order != column)
    actor = Actor("anonymous", sales_channel_ids=tuple(channel.pk for channel in channels))
    page = PRODUCTS.page(PRODUCTS.list_query({**query, "with_deleted": str(with_deleted).lower()}), actor)
    assert [each["id"] for each in page.answers] == [row.pk for row in found[offset : offset + limit]], query
    assert page.count == len(found), query
