"""The lowest stock of products is kept, and is always what computing it from all levels gives."""

import random
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import connection

from catalog.models import (
    InventoryItem,
    InventoryLevel,
    LowestStock,
    Product,
    ProductVariant,
    Reservation,
    StaleStock,
    VariantInventoryItem,
)
from catalog.products.product_editing import details
from catalog.stock.lowest_stock import recomputing, triggers
from catalog.stock.lowest_stock.recomputing import recompute, recompute_in_request
from giftcards.verification.verification import discrepancies
from kit.database.triggers import Trigger
from kit.derived import stale_batches
from kit.domain.actor import SYSTEM
from kit.values.timestamps import now
from shop.models import StockLocation
from tests.dropped_triggers import dropped
from tests.factories.inventory import (
    InventoryLevelFactory,
    ReservationFactory,
    StockLocationFactory,
    count_stock,
    stock,
)
from tests.factories.products import ProductFactory, VariantFactory
from tests.plugins.migrating import migrated_back

pytestmark = pytest.mark.django_db

TRIGGERS = [each for table in triggers.SOURCES for each in triggers.of(connection.vendor, table)]


def computed() -> dict[str, int]:
    """The lowest available stock of each product, from all rows, one by one."""
    lowest: dict[str, int] = {}
    for level in InventoryLevel.objects.select_related("inventory_item", "location"):
        if level.deleted_at or level.inventory_item.deleted_at or level.location.deleted_at:
            continue
        for link in VariantInventoryItem.objects.filter(inventory_item=level.inventory_item).select_related("variant"):
            if link.deleted_at or link.variant.deleted_at or not link.variant.manage_inventory:
                continue
            available = level.stocked_quantity - level.reserved_quantity
            key = link.variant.product_id
            lowest[key] = min(available, lowest.get(key, available))
    return lowest


def kept() -> dict[str, int]:
    recompute()
    assert not StaleStock.objects.exists()
    return dict(LowestStock.objects.values_list("product_id", "available"))


@pytest.fixture
def level() -> InventoryLevel:
    """Nine of an item that two products sell, at one of two locations; the other has twenty."""
    first = stock(VariantFactory(product=ProductFactory()), 9)
    VariantFactory(product=ProductFactory(), sku="other").inventory_items.add(first.inventory_item)
    stock(ProductVariant.objects.all()[0], 20, item=first.inventory_item)
    assert sorted(kept().values()) == [9, 9]
    return first


CHANGES: dict[str, tuple[Callable[[InventoryLevel], object], list[int]]] = {
    "stock is counted": (lambda level: count_stock(2, InventoryLevel.objects.filter(pk=level.pk)), [2, 2]),
    "stock is reserved": (lambda level: ReservationFactory(level=level, quantity=4), [5, 5]),
    "another location stocks it": (lambda level: stock(of(level), 1, item=level.inventory_item), [1, 1]),
    "a variant gets another item": (lambda level: stock(of(level), 1), [1, 9]),
    "the level is deleted": (lambda level: deleted(InventoryLevel, level.pk), [20, 20]),
    "an empty level is removed": (lambda level: removed(empty(level)), [9, 9]),
    "the item is deleted": (lambda level: deleted(InventoryItem, level.inventory_item_id), []),
    "the location is deleted": (lambda level: deleted(StockLocation, level.location_id), [20, 20]),
    "the link is deleted": (lambda level: deleted(VariantInventoryItem, link(level).pk), [9]),
    "the link is removed": (lambda level: link(level).delete(), [9]),
    "the variant is deleted": (lambda level: deleted(ProductVariant, of(level).pk), [9]),
    "the variant is removed": (lambda level: of(level).delete(), [9]),
    "the variant is not sold from stock": (
        lambda level: ProductVariant.objects.filter(pk=of(level).pk).update(manage_inventory=False),
        [9],
    ),
    "the variant moves": (
        lambda level: ProductVariant.objects.filter(pk=of(level).pk).update(product=ProductFactory()),
        [9, 9],
    ),
    "the product is deleted": (lambda level: details.VERBS.delete(actor=SYSTEM, ids=[of(level).product_id]), [9]),
}


def of(level: InventoryLevel) -> ProductVariant:
    return ProductVariant.objects.filter(inventory_items=level.inventory_item).order_by("pk")[0]


def link(level: InventoryLevel) -> VariantInventoryItem:
    return VariantInventoryItem.objects.get(variant=of(level), inventory_item=level.inventory_item)


def empty(level: InventoryLevel) -> InventoryLevel:
    """Another level of the item, which has never held any stock."""
    return InventoryLevelFactory(inventory_item=level.inventory_item)


def removed(level: InventoryLevel) -> None:
    assert set(kept().values()) == {0}
    level.delete()


def deleted(
    model: type[InventoryLevel | InventoryItem | StockLocation | VariantInventoryItem | ProductVariant], key: str
) -> None:
    model.objects.filter(pk=key).update(deleted_at=now())


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_marks_it_as_stale(level: InventoryLevel, change: str) -> None:
    perform, lowest = CHANGES[change]
    perform(level)
    found = kept()
    assert sorted(found.values()) == lowest
    assert found == computed()


def test_many_changes_at_random() -> None:
    chance = random.Random(7)  # noqa: S311 - no secret
    places = [StockLocationFactory() for _ in range(2)]
    variants = [VariantFactory(product=ProductFactory(), sku=str(number)) for number in range(6)]
    variants += [VariantFactory(product=variants[0].product, sku=f"more-{number}") for number in range(3)]
    items = [stock(variant, chance.randint(0, 9), location=places[0]).inventory_item for variant in variants]
    for _ in range(60):
        levels = list(InventoryLevel.objects.filter(deleted_at=None))
        match chance.randrange(7):
            case 0 | 1:
                count_stock(chance.randint(0, 9), InventoryLevel.objects.filter(pk=chance.choice(levels).pk))
            case 2:
                ReservationFactory(level=chance.choice(levels), quantity=1)
            case 3:
                Reservation.objects.filter(pk__in=Reservation.objects.values("pk")[:1]).update(deleted_at=now())
            case 4:
                item = chance.choice(items)
                if not InventoryLevel.objects.filter(inventory_item=item, location=places[1]).exists():
                    stock(chance.choice(variants), chance.randint(0, 9), location=places[1], item=item)
            case 5:
                one = ProductVariant.objects.get(pk=chance.choice(variants).pk)
                ProductVariant.objects.filter(pk=one.pk).update(manage_inventory=not one.manage_inventory)
            case _:
                one = ProductVariant.objects.get(pk=chance.choice(variants).pk)
                gone = None if one.deleted_at else now()
                ProductVariant.objects.filter(pk=one.pk).update(deleted_at=gone)
        if chance.random() < 0.3:
            assert kept() == computed()
    assert kept() == computed() != {}


def test_what_changes_nothing_marks_nothing(level: InventoryLevel) -> None:
    InventoryLevel.objects.filter(pk=level.pk).update(incoming_quantity=5)
    InventoryItem.objects.update(title="Tea")
    ProductVariant.objects.update(title="Large")
    StockLocation.objects.filter(pk=level.location_id).update(name="Hall")
    assert not StaleStock.objects.exists()


def test_a_request_leaves_what_would_take_long(level: InventoryLevel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_batches, "BATCH", 1)
    monkeypatch.setattr(recomputing, "MOST_IN_REQUEST", 2)
    for units in (1, 2, 3):
        count_stock(units, InventoryLevel.objects.filter(pk=level.pk))
    assert not recompute_in_request()
    assert StaleStock.objects.count() == 1
    assert recompute_in_request()
    assert kept() == computed()


@pytest.mark.parametrize("command", ["prune", "recompute_lowest"])
def test_commands_compute_lowest_stock(level: InventoryLevel, command: str) -> None:
    count_stock(1, InventoryLevel.objects.filter(pk=level.pk))
    call_command(command, verbosity=0)
    assert not StaleStock.objects.exists()
    assert set(LowestStock.objects.values_list("available", flat=True)) == {1}


@pytest.mark.parametrize("trigger", TRIGGERS, ids=[each.name for each in TRIGGERS])
def test_a_missing_trigger_is_reported(trigger: Trigger) -> None:
    with dropped(trigger):
        assert f"The trigger {trigger.name} is missing" in list(discrepancies())


@pytest.mark.django_db(transaction=True)
@pytest.mark.every(4)
def test_the_migration_computes_it_for_the_products_that_exist() -> None:
    stock(VariantFactory(product=ProductFactory()), 4)
    with migrated_back("catalog", "0011_lowest_stock"):
        LowestStock.objects.all().delete()
        StaleStock.objects.all().delete()
    assert kept() == computed() == {Product.objects.get().pk: 4}


def test_a_location_with_many_items_is_left_to_later_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    first = stock(VariantFactory(product=ProductFactory()), 3)
    for number in range(3):
        stock(VariantFactory(product=ProductFactory(), sku=str(number)), 3, location=first.location)
    assert len(kept()) == 4
    deleted(StockLocation, first.location_id)
    monkeypatch.setattr(stale_batches, "BATCH", 1)
    monkeypatch.setattr(recomputing, "MOST_IN_REQUEST", 2)
    assert not recompute_in_request()
    assert kept() == {}


class TestVerification:
    """What writes past the triggers is reported and repaired."""

    def test_a_wrong_a_missing_and_a_left_over_figure(self, level: InventoryLevel) -> None:
        wrong, missing = sorted(kept())
        left_over = ProductFactory().pk
        LowestStock.objects.filter(product=wrong).update(available=7)
        LowestStock.objects.filter(product=missing).delete()
        LowestStock.objects.create(product_id=left_over, available=1)
        assert sorted(discrepancies()) == [
            f"The lowest stock of product {product} differs from its stock levels: run rebuild_search"
            for product in sorted((wrong, missing, left_over))
        ]
        call_command("rebuild_search", verbosity=0)
        assert list(discrepancies()) == []
        assert kept() == computed() == {wrong: 9, missing: 9}

    @pytest.mark.parametrize("change", ["stock is counted", "a variant gets another item", "the location is deleted"])
    def test_what_is_stale_is_not_reported(self, level: InventoryLevel, change: str) -> None:
        perform, _ = CHANGES[change]
        perform(level)
        assert StaleStock.objects.exists()
        assert [each for each in discrepancies() if "lowest stock" in each] == []
