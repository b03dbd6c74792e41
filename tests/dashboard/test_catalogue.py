"""Products, their labels, prices and stock in the official dashboard; each job's effect is read from the database."""

from decimal import Decimal

import pytest

from catalog.models import InventoryLevel, Price, Product, ProductCategory, ProductCollection
from catalog.states import ProductStatus
from commerce.operations.demo.demo_pictures import DIRECTORY
from pictures.models import Picture
from pictures.processing import convert
from tests.dashboard import needs_dashboard
from tests.dashboard.clerk import Clerk

pytestmark = [
    *(pytest.mark.browser, pytest.mark.servers("nginx"), pytest.mark.django_db(transaction=True)),
    needs_dashboard,
]


def test_a_day_with_the_catalogue(clerk: Clerk) -> None:
    """One test, since loading the demo shop takes long."""
    add_a_product(clerk)
    change_it(clerk)
    put_it_in_a_collection(clerk)
    put_it_in_a_category(clerk)
    count_its_stock(clerk)


def add_a_product(clerk: Clerk) -> None:
    """An option, two variants, two currencies and a picture; published."""
    clerk.open("products/create")
    clerk.enter("title", "Harbour Mug")
    clerk.enter("subtitle", "Stoneware")
    clerk.upload(DIRECTORY / "tide-cup-1.png")
    clerk.click(selector="[role=switch]")
    clerk.choose_new("Glaze")
    clerk.click("Red, Blue, Green")
    for value in ("Sand", "Slate"):
        clerk.write(value)
    clerk.click("Continue")
    clerk.click("Continue")
    for row in (0, 1):
        clerk.put(row, 2, f"MUG-{row}")
        clerk.put(row, 3, " ")
        clerk.put(row, 6, "21.50")
        clerk.put(row, 7, "18")
    clerk.picture("product-create")
    clerk.click("Publish")
    for picture in Picture.objects.all():
        convert.call(picture_id=picture.pk)
    mug = Product.objects.get(title="Harbour Mug")
    assert (mug.handle, mug.subtitle, mug.status) == ("harbour-mug", "Stoneware", ProductStatus.PUBLISHED)
    assert mug.images.count() == 1
    assert [variant.title for variant in mug.variants.order_by("variant_rank")] == ["Sand", "Slate"]
    prices = Price.objects.filter(price_set__variant__product=mug).order_by("currency_id", "pk")
    assert [(each.currency_id, each.amount) for each in prices] == [
        *[("eur", Decimal("21.5"))] * 2,
        *[("gbp", Decimal(18))] * 2,
    ]
    clerk.open(f"products/{mug.pk}")
    clerk.picture("product")
    assert [each for each in clerk.faults() if "/media/" not in each] == []  # its picture was not converted at first


def change_it(clerk: Clerk) -> None:
    mug = Product.objects.get(title="Harbour Mug")
    clerk.open(f"products/{mug.pk}/edit")
    clerk.enter("title", "Harbour Cup")
    clerk.click("Save")
    mug.refresh_from_db()
    assert (mug.title, mug.handle) == ("Harbour Cup", "harbour-mug")


def put_it_in_a_collection(clerk: Clerk) -> None:
    clerk.open("collections/create")
    clerk.enter("title", "Winter")
    clerk.click("Create")
    winter = ProductCollection.objects.get(title="Winter")
    assert winter.handle == "winter"
    clerk.open(f"collections/{winter.pk}/products")
    clerk.tick("Harbour Cup")
    clerk.click("Save")
    assert [each.title for each in winter.products.all()] == ["Harbour Cup"]
    clerk.open(f"collections/{winter.pk}")
    clerk.picture("collection")


def put_it_in_a_category(clerk: Clerk) -> None:
    clerk.open("categories/create")
    clerk.enter("name", "Mugs")
    clerk.click("Continue")
    clerk.click("Save")
    mugs = ProductCategory.objects.get(name="Mugs")
    assert mugs.handle == "mugs"
    clerk.open(f"categories/{mugs.pk}/products")
    clerk.tick("Harbour Cup")
    clerk.click("Save")
    assert [each.title for each in mugs.products.all()] == ["Harbour Cup"]
    clerk.open(f"categories/{mugs.pk}")
    clerk.picture("category")


def count_its_stock(clerk: Clerk) -> None:
    level = InventoryLevel.objects.filter(inventory_item__sku="ASSAM-100").order_by("pk").first()
    assert level is not None
    clerk.open(f"inventory/{level.inventory_item_id}")
    clerk.picture("inventory-item")
    clerk.open(f"inventory/{level.inventory_item_id}/locations/{level.location_id}")
    clerk.enter("stocked_quantity", "77")
    clerk.click("Save")
    level.refresh_from_db()
    assert level.stocked_quantity == 77
