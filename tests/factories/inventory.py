"""Stock for tests."""

from collections.abc import Iterable
from typing import Any

import factory

from catalog.models import InventoryItem, InventoryLevel, ProductVariant, VariantInventoryItem
from commerce.shop.models import SalesChannel, StockLocation, Store


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
