"""inventory_quantity: what can be sold of a variant, as far as the caller's sales channels sell it."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from catalog.models import Reservation, VariantInventoryItem
from catalog.stock.availability import load_inventory_quantity
from kit.domain.actor import Actor
from kit.reads.declarations.computed import Batch
from kit.values.timestamps import now
from shop.models import Store
from tests.factories.inventory import InventoryItemFactory, StockLocationFactory, stock
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import SalesChannelFactory

pytestmark = pytest.mark.django_db


def quantities(*variants, actor=None):
    actor = actor or Actor(type="anonymous", sales_channel_ids=(Store.objects.get().default_sales_channel_id,))
    rows = [(variant.pk, variant.manage_inventory) for variant in variants]
    return load_inventory_quantity(Batch(rows, actor, {}))


def reserve(level, quantity):
    Reservation.objects.create(inventory_item=level.inventory_item, location=level.location, quantity=quantity)


def test_what_is_stocked_and_not_reserved_can_be_sold():
    variant = VariantFactory()
    reserve(stock(variant, 10), 3)

    assert quantities(variant) == [7]


def test_a_variant_without_managed_inventory_has_no_number():
    variant = VariantFactory(manage_inventory=False)
    stock(variant, 10)

    assert quantities(variant) == [None]


def test_a_variant_without_items_has_none():
    assert quantities(VariantFactory()) == [0]


def test_answers_stand_in_the_order_of_the_rows():
    plain, unmanaged, rich = VariantFactory(), VariantFactory(manage_inventory=False), VariantFactory()
    stock(plain, 1)
    stock(rich, 100)

    assert quantities(rich, unmanaged, plain) == [100, None, 1]


def test_the_scarcest_item_of_a_kit_decides():
    kit = VariantFactory()
    stock(kit, 100)
    stock(kit, 7, required_quantity=2)

    assert quantities(kit) == [3]


def test_an_item_that_is_nowhere_makes_a_kit_unavailable():
    kit = VariantFactory()
    stock(kit, 100)
    VariantInventoryItem.objects.create(variant=kit, inventory_item=InventoryItemFactory())

    assert quantities(kit) == [0]


def test_locations_of_the_channel_are_summed():
    variant, item = VariantFactory(), InventoryItemFactory()
    stock(variant, 4, item=item)
    stock(variant, 5, item=item)

    assert quantities(variant) == [9]


def test_backorders_of_one_location_are_taken_from_the_others_and_never_show_as_less_than_nothing():
    variant, item = VariantFactory(), InventoryItemFactory()
    reserve(stock(variant, 0, item=item), 6)
    assert quantities(variant) == [0]

    stock(variant, 10, item=item)
    assert quantities(variant) == [4]


def test_a_location_of_two_channels_counts_once():
    here, there = SalesChannelFactory(), SalesChannelFactory()
    variant = VariantFactory()
    stock(variant, 10, location=StockLocationFactory(sales_channels=[here, there]))

    assert quantities(variant, actor=Actor(type="anonymous", sales_channel_ids=(here.pk, there.pk))) == [10]


def test_other_channels_stock_is_not_for_sale():
    here, there = SalesChannelFactory(), SalesChannelFactory()
    variant, item = VariantFactory(), InventoryItemFactory()
    stock(variant, 10, item=item, location=StockLocationFactory(sales_channels=[here]))
    stock(variant, 90, item=item, location=StockLocationFactory(sales_channels=[there]))
    stock(variant, 900, item=item, location=StockLocationFactory(sales_channels=[]))

    assert quantities(variant, actor=Actor(type="anonymous", sales_channel_ids=(here.pk,))) == [10]
    assert quantities(variant, actor=Actor(type="customer", id="cus_1", sales_channel_ids=(there.pk,))) == [90]
    assert quantities(variant, actor=Actor(type="anonymous")) == [0]


@pytest.mark.parametrize("deleted", ["level", "link", "location", "inventory_item"])
def test_what_is_deleted_does_not_count(deleted):
    variant = VariantFactory()
    level = stock(variant, 10)
    rows = {"level": level, "link": VariantInventoryItem.objects.get()}
    row = rows.get(deleted) or getattr(level, deleted)
    row.deleted_at = now()
    row.save()

    assert quantities(variant) == [0]


def test_a_kit_with_a_deleted_item_cannot_be_sold():
    kit = VariantFactory()
    stock(kit, 100)
    item = stock(kit, 100).inventory_item
    item.deleted_at = now()
    item.save()

    assert quantities(kit) == [0]


def test_no_level_holds_less_than_nothing():
    with pytest.raises(IntegrityError), transaction.atomic():
        stock(VariantFactory(), -1)


def test_a_hundred_variants_cost_one_statement_as_one_does():
    product = ProductFactory()
    variants = [VariantFactory(product=product) for _ in range(100)]
    location = StockLocationFactory()
    for variant in variants:
        stock(variant, 2, location=location)

    for some in (variants[:1], variants):
        with CaptureQueriesContext(connection) as statements:
            assert quantities(*some, actor=Actor(type="anonymous", sales_channel_ids=("sc_1",))) == [0] * len(some)
        assert len(statements) == 1
