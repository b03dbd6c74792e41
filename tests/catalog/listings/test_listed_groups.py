"""Triggers keep the listings by tag and by category, and lists of one tag or category read them."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.listings import group_triggers
from catalog.listings.counts.queries import LINKS
from catalog.listings.listing_invariants import LISTING_INVARIANTS
from catalog.models import ListedCategory, ListedTag, Product, ProductCategory, ProductTag
from catalog.states import ProductStatus
from giftcards.verification.verification import discrepancies
from kit.values.timestamps import now
from tests.catalog.listings.test_listed_products import OWN_WRITERS
from tests.catalog.listings.test_product_counts import chosen, default, remove
from tests.contract.callers import Caller, storefront
from tests.dropped_triggers import dropped
from tests.factories.apikeys import publishable_key
from tests.factories.catalog import CategoryFactory
from tests.factories.products import ProductFactory, ProductTagFactory
from tests.factories.shop import SalesChannelFactory
from tests.plugins.migrating import migrated_back

pytestmark = pytest.mark.django_db

TRIGGERS = [each for table in group_triggers.TABLES for each in group_triggers.of(connection.vendor, table)]
RELATIONS = {"tags": ProductTag, "categories": ProductCategory}
LINK_TABLES = ("catalog_product_tags", "catalog_product_categories")


def groups(relation: str) -> list[Any]:
    return list(RELATIONS[relation].objects.order_by("pk"))


def add_group(relation: str, number: int) -> None:
    getattr(chosen(number), relation).add(groups(relation)[number % 2])


def remove_group(relation: str, number: int) -> None:
    getattr(chosen(number), relation).remove(groups(relation)[number % 2])


def replace_groups(relation: str, number: int) -> None:
    getattr(chosen(number), relation).set([groups(relation)[number % 2]])


def move_link(relation: str, number: int) -> None:
    """Change the product of a link."""
    through = getattr(Product, relation).through
    link = through.objects.order_by("pk").last()
    other = chosen(number).pk
    if link and not getattr(Product.objects.get(pk=other), relation).exists():
        through.objects.filter(pk=link.pk).update(product_id=other)


def delete_product_first(relation: str, number: int) -> None:
    """Delete a product before its links, in one transaction."""
    product_id = chosen(number).pk
    tables = random.Random(number).sample([LINKS, *LINK_TABLES], 3)  # noqa: S311 - the same order each time
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM catalog_product WHERE id = %s", [product_id])
        for table in tables:
            cursor.execute(f"DELETE FROM {table} WHERE product_id = %s", [product_id])


GROUP_WRITERS: list[Callable[[str, int], None]] = [
    add_group,
    add_group,
    remove_group,
    replace_groups,
    move_link,
    delete_product_first,
]


def write(dice: random.Random) -> None:
    if dice.randrange(2):
        dice.choice(GROUP_WRITERS)(dice.choice(list(RELATIONS)), dice.randrange(100))
    else:
        dice.choice([each for each in OWN_WRITERS if each is not remove])(dice.randrange(100))


def wrong() -> list[Any]:
    """What `verify_ledger` would list."""
    return [each for invariant in LISTING_INVARIANTS for each in invariant.violations()]


def listed(model: Any) -> set[tuple[str, str, str]]:
    return set(model.objects.values_list("sales_channel_id", "group_id", "id"))


@pytest.fixture
def store() -> Caller:
    return storefront(publishable_key())


@pytest.fixture
def products() -> list[Product]:
    """Each has one of two tags and categories. The second is sold in two channels; the last is a draft."""
    channels = [default(), SalesChannelFactory(name="Elsewhere")]
    products = [ProductFactory(sales_channels=channels[: 1 + number % 2]) for number in range(3)]
    products.append(ProductFactory(status=ProductStatus.DRAFT))
    tags, categories = [ProductTagFactory() for _ in range(2)], [CategoryFactory() for _ in range(2)]
    for number, product in enumerate(products):
        product.tags.add(tags[number % 2])
        product.categories.add(categories[number % 2])
    return products


@pytest.mark.parametrize("seed", range(4))
def test_the_listings_are_right_after_any_sequence_of_writes(seed: int, products: list[Product]) -> None:
    dice = random.Random(seed)  # noqa: S311 - the same steps each time
    assert len(listed(ListedTag)) == len(listed(ListedCategory)) == 4
    for _ in range(80):
        write(dice)
        assert wrong() == []


@pytest.mark.parametrize("trigger", TRIGGERS, ids=lambda trigger: trigger.name)
def test_without_one_of_the_triggers_a_listing_is_wrong(trigger: Any, products: list[Product]) -> None:
    with dropped(trigger):
        assert list(discrepancies()) == [f"The trigger {trigger.name} is missing"]
        dice = random.Random(1)  # noqa: S311 - the same steps each time
        steps = 0
        while not wrong():
            steps += 1
            assert steps < 300
            write(dice)


@pytest.mark.postgresql
def test_copied_links_are_listed(products: list[Product]) -> None:
    tag = ProductTagFactory()
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY catalog_product_tags (product_id, producttag_id) FROM STDIN") as to,
    ):
        for product in products:
            to.write_row((product.pk, tag.pk))
    assert ListedTag.objects.filter(group_id=tag.pk).count() == 4
    assert wrong() == []


@pytest.mark.parametrize(("relation", "name"), [("tags", "tag_id"), ("categories", "category_id")])
class TestLists:
    def found(self, store: Caller, query: str) -> list[str]:
        answer = store.get("/store/products", f"fields=id&{query}").json()
        assert answer["count"] == len(answer["products"])
        return [each["id"] for each in answer["products"]]

    def test_a_list_of_one_group_reads_its_listing_alone(
        self, relation: str, name: str, store: Caller, products: list[Product]
    ) -> None:
        group = groups(relation)[0].pk
        expected = sorted(product.pk for product in (products[0], products[2]))
        for query in (f"{name}={group}", f"{name}[]={group}", f"{name}={group}&id[$gt]={expected[0]}"):
            with CaptureQueriesContext(connection) as asked:
                assert self.found(store, query) == expected[-1 if "$gt" in query else 0 :]
            (page,) = [each["sql"] for each in asked if 'FROM "catalog_product"' in each["sql"]]
            assert "catalog_listedproduct" not in page
            assert not any(table in page for table in LINK_TABLES)
        both = [each.pk for each in groups(relation)]
        assert len(self.found(store, f"{name}[]={both[0]}&{name}[]={both[1]}")) == 3
        assert self.found(store, f"{name}={group}&title={products[2].title}") == [products[2].pk]

    def test_a_group_that_is_not_shown_has_no_products(
        self, relation: str, name: str, store: Caller, products: list[Product]
    ) -> None:
        hidden = groups(relation)[0]
        hidden.deleted_at = now()
        hidden.save()
        assert self.found(store, f"{name}={hidden.pk}") == []
        assert self.found(store, f"{name}=none") == []


class TestRepair:
    def test_wrong_rows_are_reported_and_made_right(self, products: list[Product]) -> None:
        """One row is missing; another is left of a product that does not exist."""
        channel_id, first = default().pk, products[0]
        group = first.tags.get().pk
        ListedTag.objects.filter(id=first.pk).delete()
        ListedCategory.objects.create(sales_channel_id=channel_id, group_id="pcat_1", id="prod_gone")
        message = f"in sales channel {channel_id} differs from the product: run rebuild_search"
        assert sorted(discrepancies()) == sorted(
            [
                f"The listing of product {first.pk} by tag {group} {message}",
                f"The listing of product prod_gone by category pcat_1 {message}",
            ]
        )
        call_command("rebuild_search", verbosity=0)
        assert list(discrepancies()) == []
        assert len(listed(ListedTag)) == len(listed(ListedCategory)) == 4

    @pytest.mark.django_db(transaction=True)
    @pytest.mark.every(4)
    def test_the_migration_lists_the_products_that_exist(self, products: list[Product]) -> None:
        before = listed(ListedTag), listed(ListedCategory)
        with migrated_back("catalog", "0020_sorted_collections"):
            pass
        assert (listed(ListedTag), listed(ListedCategory)) == before
        assert wrong() == []
