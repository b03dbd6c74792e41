"""Files with the columns of Medusa's template: preview, import, export, and the way back."""

from decimal import Decimal

import pytest

from catalog.models import Price, Product, ProductVariant
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, spreadsheet, undo_file

HEADER = (
    "Product Id,Product Handle,Product Title,Product Subtitle,Product Description,Product Status,Product Thumbnail,"
    "Product Weight,Product Length,Product Width,Product Height,Product HS Code,Product Origin Country,"
    "Product MID Code,Product Material,Shipping Profile Id,Product Sales Channel 1,Product Collection Id,"
    "Product Type Id,Product Tag 1,Product Discountable,Product External Id,Variant Id,Variant Title,Variant SKU,"
    "Variant Barcode,Variant Allow Backorder,Variant Manage Inventory,Variant Weight,Variant Length,Variant Width,"
    "Variant Height,Variant HS Code,Variant Origin Country,Variant MID Code,Variant Material,Variant Price EUR,"
    "Variant Price USD,Variant Option 1 Name,Variant Option 1 Value,Product Image 1 Url,Product Image 2 Url"
)
MUG = (
    ",mug,Mug,,For tea,published,,400,,,,0691,de,,,,,,,Kitchen,TRUE,,,One Size,00123,,FALSE,TRUE,,,,,,,,,10.00,11.5,"
    "Size,One Size,https://example.com/mug.png,"
)
SHIRTS = (
    ",shirt,Shirt,,,draft,,,,,,,,,,,,,,,TRUE,,,S,SH-S,,FALSE,TRUE,200,,,,,,,,20,,Size,S,,",
    ",shirt,Shirt,,,draft,,,,,,,,,,,,,,,TRUE,,,M,SH-M,,TRUE,TRUE,210,,,,,,,,21,,Size,M,,",
)

pytestmark = pytest.mark.django_db


def test_the_template_is_recognised_and_its_preview_writes_nothing() -> None:
    one = previewed(lines(HEADER, MUG, *SHIRTS))

    assert one.counts == {"new": 2, "rows": 3}
    assert one.problems == []
    assert "" not in one.mapping
    assert not Product.objects.exists()


def test_the_template_becomes_products_with_variants_prices_and_labels() -> None:
    one = applied(lines(HEADER, MUG, *SHIRTS))

    assert one.done == {"new": 2}
    mug = Product.objects.get(handle="mug")
    assert (mug.title, mug.status, mug.weight, mug.hs_code, mug.description) == (
        "Mug",
        "published",
        400,
        "0691",
        "For tea",
    )
    assert mug.thumbnail == "https://example.com/mug.png"
    assert [tag.value for tag in mug.tags.all()] == ["Kitchen"]
    variant = ProductVariant.objects.get(sku="00123")
    assert [value.value for value in variant.options.all()] == ["One Size"]
    prices = Price.objects.filter(price_set=variant.price_set_id).order_by("currency")
    assert [(price.currency_id, price.amount) for price in prices] == [("eur", Decimal(10)), ("usd", Decimal("11.5"))]
    shirt = Product.objects.get(handle="shirt")
    named = shirt.variants.order_by("variant_rank").values_list("title", "sku", "allow_backorder", "weight")
    assert [*named] == [("S", "SH-S", False, 200), ("M", "SH-M", True, 210)]


def test_an_export_comes_back_without_changing_a_row() -> None:
    applied(lines(HEADER, MUG, *SHIRTS))
    first = exported()
    moments = {
        *Product.objects.values_list("pk", "updated_at"),
        *ProductVariant.objects.values_list("pk", "updated_at"),
    }

    one = applied(first)

    assert one.counts == {"unchanged": 2, "rows": 3}
    assert one.done == {"unchanged": 2}
    assert moments == {
        *Product.objects.values_list("pk", "updated_at"),
        *ProductVariant.objects.values_list("pk", "updated_at"),
    }
    assert exported() == first
    assert [row["Variant SKU"] for row in spreadsheet(first)] == ["00123", "SH-S", "SH-M"]


def test_the_saved_rows_take_the_change_back() -> None:
    applied(lines(HEADER, MUG, *SHIRTS))
    first = exported()

    one = applied(
        lines("Product Handle,Product Title,Variant SKU,Variant Price USD", "shirt,Blouse,SH-S,25", "shirt,,SH-M,")
    )

    assert one.done == {"changed": 1}
    assert exported() != first
    assert applied(undo_file(one)).done == {"changed": 1}
    assert exported() == first
