"""Products, their labels, prices and stock in the official dashboard; each job's effect is read from the database."""

from decimal import Decimal

import pytest

from catalog.models import (
    InventoryLevel,
    Price,
    PriceList,
    Product,
    ProductCategory,
    ProductCollection,
    ProductOption,
    Reservation,
)
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
    look_at_its_option(clerk)
    put_it_on_sale(clerk)
    count_stock(clerk)
    reserve_some(clerk)


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


def look_at_its_option(clerk: Clerk) -> None:
    option = ProductOption.objects.get(product__title="Harbour Cup")
    clerk.open(f"product-options/{option.pk}")
    clerk.until("Harbour Cup")
    clerk.picture("product-option")


def put_it_on_sale(clerk: Clerk) -> None:
    clerk.open("price-lists/create")
    clerk.enter("title", "Harbour days")
    clerk.enter("description", "Three days in June.")
    clerk.click("Continue")
    clerk.tick("Harbour Cup")
    clerk.click("Continue")
    clerk.put(1, 1, "17.20")
    clerk.put(2, 2, "14.50")
    clerk.picture("price-list-create")
    clerk.click("Save")
    sale = PriceList.objects.get(title="Harbour days")
    assert (sale.type, sale.status, sale.description) == ("sale", "active", "Three days in June.")
    prices = sale.prices.order_by("currency_id").values_list("currency_id", "amount", "price_set__variant__title")
    assert [*prices] == [("eur", Decimal("17.2"), "Sand"), ("gbp", Decimal("14.5"), "Slate")]
    clerk.open(f"price-lists/{sale.pk}/products/edit")
    clerk.put(1, 1, "16.80")
    clerk.click("Save")
    assert sale.prices.get(currency_id="eur").amount == Decimal("16.8")
    clerk.open(f"price-lists/{sale.pk}")
    clerk.picture("price-list")


def count_stock(clerk: Clerk) -> None:
    level = InventoryLevel.objects.filter(inventory_item__sku="ASSAM-100").order_by("pk").first()
    assert level is not None
    clerk.open(f"inventory/{level.inventory_item_id}")
    clerk.picture("inventory-item")
    clerk.open(f"inventory/{level.inventory_item_id}/locations/{level.location_id}")
    clerk.enter("stocked_quantity", "77")
    clerk.click("Save")
    level.refresh_from_db()
    assert level.stocked_quantity == 77


def reserve_some(clerk: Clerk) -> None:
    """By hand, more, and no longer."""
    level = InventoryLevel.objects.filter(inventory_item__sku="ASSAM-100").order_by("pk")[0]
    clerk.open(f"reservations/create?item_id={level.inventory_item_id}")
    clerk.pick("location_id", "Harbour warehouse")
    clerk.enter("quantity", "3")
    clerk.enter("description", "For the fair")
    clerk.picture("reservation-create")
    clerk.click("Create")
    held = Reservation.objects.get(line_item_id=None)
    assert (held.location_id, held.quantity, held.description) == (level.location_id, 3, "For the fair")
    clerk.open(f"reservations/{held.pk}/edit")
    clerk.enter("quantity", "5")
    clerk.click("Save")
    held.refresh_from_db()
    level.refresh_from_db()
    assert (held.quantity, level.reserved_quantity) == (5, 5)
    clerk.open(f"reservations/{held.pk}")
    clerk.picture("reservation")
    clerk.open("reservations")
    clerk.click(selector="tbody button[aria-haspopup=menu]")
    clerk.click("Delete", selector="[role=menuitem]")
    clerk.click("Delete", selector="[role=alertdialog] button")
    level.refresh_from_db()
    assert level.reserved_quantity == 0
