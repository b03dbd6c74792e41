"""Low stock on the overview."""

from typing import Any

import pytest
from pytest_django import Settings

from catalog.models import InventoryItem, InventoryLevel, ProductVariant
from catalog.products.product_editing import details
from kit.domain.actor import SYSTEM
from tests.factories.carts import sold_variant
from tests.factories.inventory import InventoryLevelFactory, ReservationFactory
from tests.factories.products import ProductFactory
from tests.kit.admin.visits import visitor

pytestmark = pytest.mark.django_db


def shown() -> list[tuple[str, ...]]:
    """The cells of the table, without the links' addresses."""
    (panel,) = visitor("catalog.view_inventorylevel").get("/admin/").context["panels"]
    return [(row[0].split(">")[1].split("<")[0], *row[1:]) for row in panel.content.cells]


def stocked(units: int, title: str, **columns: Any) -> ProductVariant:
    variant = sold_variant(10, in_stock=units, product=ProductFactory(title=title), sku=title.lower(), **columns)
    InventoryItem.objects.filter(variants=variant).update(title=title, sku=title.lower())
    return variant


def test_the_lowest_come_first_up_to_the_threshold(settings: Settings) -> None:
    settings.LOW_STOCK = 4
    for units, title in ((5, "Pot"), (4, "Tea"), (0, "Mug")):
        stocked(units, title)
    levels = InventoryLevel.objects.order_by("stocked_quantity")
    assert shown() == [("Mug (mug)", levels[0].location.name, "0"), ("Tea (tea)", levels[1].location.name, "4")]


def test_an_item_that_is_called_like_its_variant_has_the_name_of_the_product() -> None:
    variant = stocked(1, "Shirt")
    InventoryItem.objects.filter(variants=variant).update(title="M / Black")
    assert [row[0] for row in shown()] == ["Shirt: M / Black (shirt)"]


def test_reserved_units_are_not_available() -> None:
    stocked(9, "Mug")
    level = InventoryLevel.objects.get()
    ReservationFactory(level=level, quantity=6)
    assert [row[::2] for row in shown()] == [("Mug (mug)", "3")]


def test_what_is_not_sold_from_stock_is_not_shown() -> None:
    InventoryLevelFactory()
    details.VERBS.delete(actor=SYSTEM, ids=[stocked(1, "Mug").product_id])
    pot = stocked(1, "Pot")
    pot.manage_inventory = False
    pot.save()
    assert shown() == []


def test_ten_are_shown_and_a_link_leads_to_all() -> None:
    for number in range(11):
        stocked(number % 3, f"Mug {number}")
    client = visitor("catalog.view_inventorylevel")
    page = client.get("/admin/")
    (panel,) = page.context["panels"]
    assert len(panel.content.cells) == 10
    listed = [row.stocked_quantity for row in client.get(panel.more).context["cl"].result_list]
    assert listed == sorted(listed)
    assert f'href="{panel.more}"' in page.content.decode()
