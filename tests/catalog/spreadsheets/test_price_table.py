"""The spreadsheet of prices: by currency and region, outside price lists and in them, and the way back."""

from decimal import Decimal
from typing import Any

import pytest

from catalog.models import Price, PriceList, ProductVariant
from kit.domain.actor import SYSTEM
from kit.errors import Forbidden
from kit.spreadsheets.applying import apply, confirm
from staff.actors import staff_actor
from tests.catalog.spreadsheets.importing import applied, exported, lines, previewed, undo_file
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import VariantFactory
from tests.factories.shop import RegionFactory
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db
ALL = ("catalog.add_price", "catalog.change_price", "catalog.delete_price")


@pytest.fixture
def variant() -> ProductVariant:
    """At $10, in Norway 90 crowns, and from ten pieces on $8."""
    made = VariantFactory(sku="00123")
    price(made, 10, "usd")
    price(made, 90, "nok", region=RegionFactory(name="Norway, [north]", currency_id="nok"))
    price(made, 8, "usd", min_quantity=10)
    return made


@pytest.fixture
def sale() -> PriceList:
    return PriceListFactory(title="=Sale")


def amounts(variant: ProductVariant) -> dict[tuple[str, str | None], Decimal]:
    rows = Price.objects.not_deleted().filter(price_set__variant=variant, min_quantity=None)
    return {(row.currency_id, row.price_list and row.price_list.title): row.amount for row in rows}


def test_the_export_comes_back_without_changing_a_row(variant: ProductVariant, sale: PriceList) -> None:
    price(variant, Decimal("7.5"), "usd", price_list=sale)
    bare = VariantFactory(sku=None, price_set=None)
    moments = {*Price.objects.values_list("pk", "updated_at"), *ProductVariant.objects.values_list("pk", "updated_at")}

    text = exported("prices")

    assert text == lines(
        'Variant Id,Variant SKU,Price List,"Price Norway, [north] [NOK]",Price USD',
        f"{variant.pk},00123,,90,10",
        f"{variant.pk},00123,'=Sale,,7.5",
        f"{bare.pk},,,,",
    )
    one = applied(text, spreadsheet="prices")
    assert one.done == {"unchanged": 3}
    assert moments == {
        *Price.objects.values_list("pk", "updated_at"),
        *ProductVariant.objects.values_list("pk", "updated_at"),
    }


def test_prices_are_added_changed_and_deleted_and_all_comes_back(variant: ProductVariant, sale: PriceList) -> None:
    first = exported("prices")

    one = applied(
        lines(
            'SKU,Price List,"Price Norway, [north] [NOK]",Price USD,Price EUR',
            "00123,,,11,9.5",
            f"00123,{sale.pk},70,6,",
        ),
        spreadsheet="prices",
    )

    assert one.done == {"changed": 2}
    assert [*one.results.values_list("label", "about")] == [("00123", variant.pk), ("00123 in =Sale", variant.pk)]
    assert amounts(variant) == {
        ("usd", None): 11,
        ("eur", None): Decimal("9.5"),
        ("nok", "=Sale"): 70,
        ("usd", "=Sale"): 6,
    }
    assert Price.objects.not_deleted().get(price_list=sale, currency="nok").rules.get().attribute == "region_id"
    assert Price.objects.not_deleted().filter(min_quantity=10).exists()
    assert undo_file(one) == lines(
        'Variant Id,Variant SKU,Price List,Price EUR,"Price Norway, [north] [NOK]",Price USD',
        f"{variant.pk},00123,,,90,10",
        f"{variant.pk},00123,'=Sale,,,",
    )
    assert applied(undo_file(one), spreadsheet="prices").done == {"changed": 2}
    assert exported("prices") == first


def test_a_variant_gets_its_first_price() -> None:
    variant = VariantFactory(sku="A", price_set=None)

    assert applied(lines("SKU,Price USD", "A,3"), spreadsheet="prices").done == {"changed": 1}

    assert amounts(variant) == {("usd", None): 3}


def test_a_price_that_changed_since_the_preview_is_left(variant: ProductVariant) -> None:
    other = VariantFactory(sku="B")
    price(other, 1, "usd")
    one = previewed(lines("SKU,Price USD", "00123,11", "B,2"), spreadsheet="prices")
    Price.objects.filter(price_set__variant=variant, currency="usd").update(amount=12)
    confirm(one)
    apply(one, actor=SYSTEM)

    assert one.done == {"changed": 1, "skipped": 1}
    assert (amounts(variant)["usd", None], amounts(other)["usd", None]) == (12, 2)


def test_problems_name_row_and_column(variant: ProductVariant) -> None:
    one = previewed(
        lines(
            "Variant Id,SKU,Price List,Price USD,Price Mars [USD]",
            ",NO,,1,",
            ",00123,Sail,1,",
            ",00123,,-1,",
            f"{variant.pk},,,1.234,",
            ",,,1,",
            "nope,00123,,ten,4",
        ),
        spreadsheet="prices",
    )

    assert one.counts == {"problem": 6, "rows": 6}
    assert one.problems == [
        [2, "SKU", "No variant has this SKU."],
        [3, "Price List", "No price list is called 'Sail'."],
        [4, "Price USD", "Enter 0 or more."],
        [4, "Price Mars [USD]", "No region is called 'Mars'."],
        [5, "Price USD", "Value for field 'amount' has more than 2 decimals of usd"],
        [5, "Price Mars [USD]", "No region is called 'Mars'."],
        [6, "SKU", "Enter the SKU or id of the variant."],
        [7, "Price USD", "'ten' is not a number."],
        [7, "Variant Id", "No variant has this id."],
    ]


def test_of_two_rows_about_one_price_the_one_without_a_problem_is_written(variant: ProductVariant) -> None:
    header = "Variant Id,SKU,Price USD"
    one = previewed(lines(header, ",00123,1.234", f"{variant.pk},,11"), spreadsheet="prices")

    assert one.counts == {"problem": 1, "changed": 1, "rows": 2}
    assert one.problems == [[2, "Price USD", "Value for field 'amount' has more than 2 decimals of usd"]]
    one = previewed(lines(header, ",00123,12", f"{variant.pk},,11"), spreadsheet="prices")
    assert one.problems == [[3, "", "Row 2 is about the same thing. Delete one of the two."]]


def test_it_needs_all_permissions_of_prices(variant: ProductVariant) -> None:
    text = lines("SKU,Price USD", "00123,11")
    for missing in ALL:
        with pytest.raises(Forbidden, match=missing.replace(".", r"\.")):
            previewed(text, spreadsheet="prices", actor=staff_actor(UserFactory(permissions={*ALL} - {missing})))
    may = staff_actor(UserFactory(permissions=ALL))
    assert applied(text, spreadsheet="prices", actor=may).done == {"changed": 1}


def test_lists_that_get_their_first_price_are_locked_before_products(
    variant: ProductVariant, sale: PriceList, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = PriceListFactory.create(title="Other")
    locked = list[Any]()
    monkeypatch.setattr("catalog.spreadsheets.prices.lock_rows", lambda rows: locked.append({*rows}))

    applied(lines("SKU,Price List,Price USD", "00123,Other,11"), spreadsheet="prices")

    assert locked[:2] == [{sale, other}, {variant.product}]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Price EUR", "Price eur"),
        ("Price Nordics [EUR]", "Price nordics [EUR]"),
        ("Price Nordics [EUR]", "Price reg_nordics [EUR]"),
    ],
)
def test_two_columns_of_one_price_are_a_problem(first: str, second: str) -> None:
    RegionFactory.create(id="reg_nordics", name="Nordics", currency_id="eur")
    variant = VariantFactory(sku="A", price_set=None)

    one = applied(lines(f"SKU,{second},{first}", "A,1,2"), spreadsheet="prices")

    message = f"The columns {first} and {second} are the same price. Leave out one of them."
    assert one.problems == [[2, second, message]]
    assert (one.done, amounts(variant)) == ({"problem": 1}, {})
