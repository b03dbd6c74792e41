"""Stock for tests."""

from collections.abc import Iterable
from typing import Any

import factory
from django.db.models import QuerySet

from catalog.models import InventoryItem, InventoryLevel, ProductVariant, Reservation, VariantInventoryItem
from catalog.states import MovementReason
from catalog.stock.stock_movements import Move, record_movements
from kit.domain.actor import SYSTEM
from shop.models import SalesChannel, StockLocation, Store


class StockLocationFactory(factory.django.DjangoModelFactory[StockLocation]):
    """A warehouse of the store's default channel; sales_channels=[…] are others, [] none."""

    name = factory.Sequence(lambda number: f"Warehouse {number}")

    class Meta:
        model = StockLocation
        skip_postgeneration_save = True

    @factory.post_generation
    def sales_channels(self: StockLocation, create: bool, channels: Iterable[SalesChannel] | None, **_: Any) -> None:
        self.sales_channels.set([Store.objects.get().default_sales_channel] if channels is None else channels)


class InventoryItemFactory(factory.django.DjangoModelFactory[InventoryItem]):
    """A thing that nobody has in stock yet."""

    title = factory.Sequence(lambda number: f"Item {number}")

    class Meta:
        model = InventoryItem


class InventoryLevelFactory(factory.django.DjangoModelFactory[InventoryLevel]):
    """What a new warehouse holds of a new item: nothing, unless stocked_quantity says otherwise."""

    inventory_item = factory.SubFactory(InventoryItemFactory)
    location = factory.SubFactory(StockLocationFactory)

    class Meta:
        model = InventoryLevel

    @classmethod
    def _create(
        cls, model_class: type[InventoryLevel], *args: Any, stocked_quantity: int = 0, **columns: Any
    ) -> InventoryLevel:
        """A level begins empty, and its stock comes by a movement."""
        level: InventoryLevel = super()._create(model_class, *args, **columns)
        count_stock(stocked_quantity, InventoryLevel.objects.filter(pk=level.pk))
        level.refresh_from_db()
        return level


def count_stock(quantity: int, levels: QuerySet[InventoryLevel] | None = None) -> None:
    """Somebody has counted that many pieces at each of the levels: at all there are, unless they are named."""
    counted = InventoryLevel.objects.all() if levels is None else levels
    record_movements([Move(level, quantity) for level in counted], actor=SYSTEM, reason=MovementReason.SET)


class ReservationFactory(factory.django.DjangoModelFactory[Reservation]):
    """Two pieces of what a new warehouse has five of."""

    inventory_item = factory.LazyAttribute(lambda made: made.level.inventory_item)
    location = factory.LazyAttribute(lambda made: made.level.location)
    quantity = 2

    class Meta:
        model = Reservation

    class Params:
        level = factory.SubFactory(InventoryLevelFactory, stocked_quantity=5)


def stock(
    variant: ProductVariant,
    quantity: int,
    *,
    location: StockLocation | None = None,
    item: InventoryItem | None = None,
    required_quantity: int = 1,
) -> InventoryLevel:
    """The variant takes required_quantity of the item, of which the location holds `quantity`; both new by default."""
    item = item or InventoryItemFactory()
    VariantInventoryItem.objects.get_or_create(
        variant=variant, inventory_item=item, defaults={"required_quantity": required_quantity}
    )
    return InventoryLevelFactory(
        inventory_item=item, location=location or StockLocationFactory(), stocked_quantity=quantity
    )
