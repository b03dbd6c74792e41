"""Files with the columns of a Shopify export: rows of pictures, options, stock, and prices to compare with."""

from decimal import Decimal

import pytest

from catalog.models import InventoryLevel, Price, PriceList, Product, ProductVariant
from shop.models import StockLocation
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, undo_file
from tests.factories.inventory import StockLocationFactory

HEADER = (
    "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,"
    "Option2 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,"
    "Variant Fulfillment Service,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Taxable,"
    "Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,"
    "Google Shopping / Google Product Category,Variant Image,Variant Weight Unit,Cost per item,Status"
)
PICTURE = "https://cdn.example.com"
TEE = [
    (
        'tee,Tee,"<p onclick=""x()"">Soft</p><script>x()</script>",Acme,Apparel > Tops,Shirts,"new, cotton",TRUE,'
        f"Color,Red,Size,M,0001,150,shopify,7,deny,manual,8.00,10.00,TRUE,TRUE,,{PICTURE}/2.png,2,,FALSE,Tees,,,,g,,active"
    ),
    f"tee,,,,,,,,,Blue,,M,0002,150,shopify,-2,continue,manual,9.00,,TRUE,TRUE,,{PICTURE}/1.png,1,,,,,,,g,,",
    f"tee,,,,,,,,,,,,,,,,,,,,,,,{PICTURE}/3.png,3,,,,,,,,,",
]
CARD = "card,Card,,Acme,,,,FALSE,Title,Default Title,,,,0,,0,deny,manual,25.00,,FALSE,FALSE,,,,,TRUE,,,,,g,,draft"

pytestmark = pytest.mark.django_db


@pytest.fixture
def location() -> StockLocation:
    return StockLocationFactory.create(name="Berlin")


def test_the_columns_are_recognised_and_others_are_left_out(location: StockLocation) -> None:
    one = previewed(lines(HEADER, *TEE, CARD), currency_code="eur")

    assert one.problems == []
    assert one.counts == {"new": 2, "rows": 4}
    assert [header for header, field in zip(one.headers, one.mapping, strict=True) if not field] == [
        "Vendor",
        "Product Category",
        "Variant Fulfillment Service",
        "Variant Taxable",
        "Image Alt Text",
        "Google Shopping / Google Product Category",
        "Variant Image",
        "Variant Weight Unit",
        "Cost per item",
    ]


def test_products_have_pictures_options_and_stock(location: StockLocation) -> None:
    applied(lines(HEADER, *TEE, CARD), currency_code="eur")

    tee = Product.objects.get(handle="tee")
    assert (tee.status, tee.type and tee.type.value, tee.seo_title) == ("published", "Shirts", "Tees")
    assert tee.description == "<p>Soft</p>"
    assert sorted(tag.value for tag in tee.tags.all()) == ["cotton", "new"]
    pictures = [image.url for image in tee.images.order_by("rank")]
    assert pictures == [f"https://cdn.example.com/{number}.png" for number in (1, 2, 3)]
    variants = {one.sku: one for one in tee.variants.all()}
    assert {sku: sorted(value.value for value in one.options.all()) for sku, one in variants.items()} == {
        "0001": ["M", "Red"],
        "0002": ["Blue", "M"],
    }
    assert {sku: (one.title, one.weight, one.allow_backorder) for sku, one in variants.items()} == {
        "0001": ("Red / M", 150, False),
        "0002": ("Blue / M", 150, True),
    }
    levels = InventoryLevel.objects.order_by("inventory_item__sku").values_list(
        "inventory_item__sku", "stocked_quantity"
    )
    assert [*levels] == [("0001", 7), ("0002", 0)]
    card = Product.objects.get(handle="card")
    assert (card.status, card.is_giftcard, card.requires_shipping, card.options.count()) == ("draft", True, False, 0)
    assert [(one.title, one.manage_inventory) for one in card.variants.all()] == [("Card", False)]


def test_the_price_below_the_compared_one_is_that_of_a_sale(location: StockLocation) -> None:
    applied(lines(HEADER, *TEE), currency_code="eur")

    prices = Price.objects.order_by("price_set__variant__sku", "amount")
    named = prices.values_list("price_set__variant__sku", "price_list__title", "currency", "amount")
    assert [*named] == [
        ("0001", "Imported sale", "eur", Decimal(8)),
        ("0001", None, "eur", Decimal(10)),
        ("0002", None, "eur", Decimal(9)),
    ]
    assert [*PriceList.objects.values_list("type", "status")] == [("sale", "active")]


def test_the_same_file_changes_nothing_and_another_one_comes_back(location: StockLocation) -> None:
    applied(lines(HEADER, *TEE, CARD), currency_code="eur", stock="set")
    first = exported()

    assert applied(lines(HEADER, *TEE, CARD), currency_code="eur", stock="set").counts == {"unchanged": 2, "rows": 4}
    one = applied(
        lines("Handle,Variant SKU,Variant Price,Variant Compare At Price", "tee,0001,9,"), currency_code="eur"
    )

    assert one.done == {"changed": 1}
    left = Price.objects.not_deleted().exclude(price_set__variant__sku=None).order_by("price_set__variant__sku")
    assert [*left.values_list("price_list", "amount")] == [(None, Decimal(9)), (None, Decimal(9))]
    assert exported() != first
    applied(undo_file(one))
    assert exported() == first


def test_prices_need_their_currency_and_stock_its_location(location: StockLocation) -> None:
    StockLocationFactory.create(name="Paris")

    one = previewed(lines(HEADER, *TEE))

    assert one.counts == {"problem": 1, "rows": 3}
    assert one.problems == [
        [2, "Variant Price", "This column names no currency. Choose one for the whole file."],
        [2, "Variant Inventory Qty", "This row names no location. Enter one, or choose one for the whole file."],
        [3, "Variant Price", "This column names no currency. Choose one for the whole file."],
        [3, "Variant Inventory Qty", "This row names no location. Enter one, or choose one for the whole file."],
    ]
    assert previewed(lines(HEADER, *TEE), currency_code="eur", location_id=location.pk).problems == []
    assert not ProductVariant.objects.exists()
