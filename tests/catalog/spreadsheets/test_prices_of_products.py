"""Prices of products in their files: by region, and in the list of a sale."""

from decimal import Decimal
from typing import Any

import pytest

from catalog.models import Price, PriceList, Product
from kit.domain.actor import SYSTEM
from kit.spreadsheets.applying import apply, confirm
from shop.models import Region
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, spreadsheet, undo_file
from tests.factories.pricing import price
from tests.factories.products import ProductFactory, VariantFactory
from tests.factories.shop import RegionFactory

pytestmark = pytest.mark.django_db


def test_prices_by_region_come_and_go_and_others_stay() -> None:
    region = RegionFactory.create(name="Nordics", currency_id="eur")
    variant = VariantFactory.create(sku="A", product=ProductFactory.create(handle="cup"))
    price(variant, 7, "eur", min_quantity=10)
    header = "Product Handle,Variant SKU,Variant Price EUR,Variant Price Nordics [EUR]"
    first = exported()

    one = applied(lines(header, "cup,A,10,12.5"))

    rows = Price.objects.not_deleted().filter(price_set=variant.price_set).order_by("amount")
    assert [(row.amount, [rule.value for rule in row.rules.all()]) for row in rows] == [
        (Decimal(7), []),
        (Decimal(10), []),
        (Decimal("12.5"), [region.pk]),
    ]
    (row,) = spreadsheet(exported())
    assert (row["Variant Price EUR"], row["Variant Price Nordics [EUR]"]) == ("10", "12.5")
    assert applied(undo_file(one)).done == {"changed": 1}
    assert exported() == first


def test_a_region_that_is_not_there_is_a_problem() -> None:
    one = previewed(lines("Product Handle,Product Title,Variant Price Mars [EUR]", "cup,Cup,1"))

    assert one.problems == [[2, "Variant Price Mars [EUR]", "No region is called 'Mars'."]]


def test_a_price_of_the_sale_that_changed_since_the_preview_is_left() -> None:
    header = "Product Handle,Product Title,Variant SKU,Variant Sale Price EUR"
    applied(lines(header, "cup,Cup,C1,8"))
    one = previewed(lines(header, "cup,Cup,C1,9"))
    plain = previewed(lines("Product Handle,Variant SKU,Variant Barcode", "cup,C1,123"))
    Price.objects.update(amount=7)

    confirm(one)
    apply(one, actor=SYSTEM)
    confirm(plain)
    apply(plain, actor=SYSTEM)

    assert one.done == {"skipped": 1}
    assert plain.done == {"changed": 1}
    assert Price.objects.get().amount == 7


def test_the_list_of_the_sale_is_locked_before_products(monkeypatch: pytest.MonkeyPatch) -> None:
    header = "Product Handle,Product Title,Variant SKU,Variant Sale Price EUR"
    applied(lines(header, "cup,Cup,C1,8"))
    locked = list[Any]()
    monkeypatch.setattr("catalog.spreadsheets.products.lock_rows", lambda rows: locked.append([*rows]))

    applied(lines(header, "cup,Cup,C1,9"))
    applied(lines("Product Handle,Product Title,Variant SKU", "cup,Mug,C1"))

    product, sale = Product.objects.get(), PriceList.objects.get()
    assert locked == [[sale], [product], [product]]


def test_prices_of_deleted_regions_are_in_no_file_and_stay() -> None:
    header = "Product Handle,Product Title,Variant SKU,Variant Price Mars [EUR],Variant Price MARS [EUR]"
    RegionFactory.create(name="MARS")
    region = RegionFactory.create(name="Mars")
    applied(lines(header, "cup,Cup,C1,8,9"))
    assert applied(exported()).done == {"unchanged": 1}
    Region.objects.filter(pk=region.pk).update(deleted_at="2027-01-01T00:00:00Z")

    text = exported()

    assert "reg_" not in text
    assert applied(text).done == {"unchanged": 1}
    mars = "Product Handle,Product Title,Variant SKU,Variant Price mars [EUR],Variant Price EUR"
    assert applied(lines(mars, "cup,Cup,C1,10,7")).done == {"changed": 1}
    assert {*Price.objects.not_deleted().values_list("amount", flat=True)} == {7, 8, 10}


def test_prices_of_a_chosen_list_come_back_without_the_choice() -> None:
    header = "Product Handle,Product Title,Variant SKU,Variant Sale Price EUR"
    applied(lines(header, "cup,Cup,C1,8"), price_list="Summer")
    one = applied(lines(header, "cup,Cup,C1,9"), price_list="Summer")

    text = undo_file(one)

    assert text.splitlines()[0].endswith(",Variant Sale Price Summer [EUR]")
    assert applied(text).done == {"changed": 1}
    back = Price.objects.not_deleted().get()
    assert (back.amount, back.price_list.title) == (8, "Summer")
    assert applied(exported(price_list="Summer")).done == {"unchanged": 1}


def test_a_file_has_prices_of_one_list() -> None:
    header = "Product Handle,Product Title,Variant Sale Price EUR,Variant Sale Price Summer [EUR]"
    message = "The sale price columns name several price lists. Import one list at a time."
    assert previewed(lines(header, "cup,Cup,8,9")).problems == [
        [2, "Variant Sale Price EUR", message],
        [2, "Variant Sale Price Summer [EUR]", message],
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Variant Price EUR", "Variant Price eur"),
        ("Variant Price", "Variant Price EUR"),
        ("Variant Sale Price EUR", "Variant Sale Price eur"),
        ("Variant Sale Price EUR", "Variant Sale Price Imported sale [EUR]"),
        ("Variant Compare At Price", "Variant Sale Price EUR"),
    ],
)
def test_two_columns_of_one_price_are_a_problem(first: str, second: str) -> None:
    header = f"Product Handle,Product Title,{first},{second}"
    both = lines(header, "cup,Cup,8,9")
    if first == "Variant Compare At Price":
        both = lines(f"{header},Variant Price", "cup,Cup,8,9,7")

    one = applied(both, currency_code="eur")

    message = f"The columns {first} and {second} are the same price. Leave out one of them."
    assert one.problems == [[2, second, message]]
    assert (one.done, Product.objects.count()) == ({"problem": 1}, 0)
