"""What the catalogue shows to a customer who is exempt from taxes: prices as stated, and with and without tax the net.

Why: docs/decisions/taxes.md#exempt-customers-pay-net-prices.
"""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import ProductVariant
from customers.models import Customer, CustomerGroup
from shop.models import Region, Store
from tests.contract.callers import Caller
from tests.customers.conftest import signed_in
from tests.factories import carts as make
from tests.factories.customers import CustomerFactory
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import VariantFactory
from tests.factories.taxes import tax_rate
from tests.kit.graphql.calls import ask, data

pytestmark = pytest.mark.django_db

Shown = tuple[float, float, float]


@pytest.fixture
def region() -> Region:
    """The United Kingdom and the United States; 20 % in the former, included in the region's own prices."""
    region = make.selling_region(countries=["gb", "us"], is_tax_inclusive=True)
    tax_rate("gb", 20)
    Store.objects.update(default_region=region)
    return region


@pytest.fixture
def eve(db: None) -> Customer:
    return CustomerFactory(is_tax_exempt=True)


def shown(caller: Caller, query: str, amount: str = "calculated_amount") -> list[Shown]:
    answer = caller.get("/store/products", f"fields=*variants.calculated_price&{query}")
    assert answer.status_code == 200, answer.content
    prices = [each["calculated_price"] for product in answer.json()["products"] for each in product["variants"]]
    return [(each[amount], each[f"{amount}_with_tax"], each[f"{amount}_without_tax"]) for each in prices]


def mug(region: Region, amount: Any = "9.99", *, is_gross: bool = True) -> ProductVariant:
    variant = VariantFactory(manage_inventory=False)
    price(variant, amount, region=region if is_gross else None)
    return variant


@pytest.mark.parametrize(
    ("is_gross", "exempt", "others"),
    [(True, (9.99, 8.33, 8.33), (9.99, 9.99, 8.33)), (False, (9.99, 9.99, 9.99), (9.99, 11.99, 9.99))],
)
def test_amounts_with_and_without_tax_are_both_net(
    is_gross: bool, exempt: Shown, others: Shown, region: Region, store: Caller
) -> None:
    mug(region, is_gross=is_gross)
    callers = (signed_in(CustomerFactory(is_tax_exempt=True)), signed_in(CustomerFactory()), store)
    assert [shown(caller, "country_code=gb") for caller in callers] == [[exempt], [others], [others]]


def test_the_price_before_a_sale_is_shown_in_the_same_way(region: Region, eve: Customer) -> None:
    variant = mug(region, 12)
    price(variant, 6, region=region, price_list=PriceListFactory())
    caller = signed_in(eve)
    assert shown(caller, "country_code=gb") == [(6, 5, 5)]
    assert shown(caller, "country_code=gb", "original_amount") == [(12, 10, 10)]


def test_graphql_shows_it_too(region: Region, eve: Customer) -> None:
    mug(region)
    document = """{ products(countryCode: "gb") { products { variants { calculatedPrice {
        calculatedAmount calculatedAmountWithTax calculatedAmountWithoutTax isCalculatedPriceTaxInclusive
    } } } } }"""
    [product] = data(ask(signed_in(eve), document))["products"]["products"]
    [variant] = product["variants"]
    assert variant["calculatedPrice"] == {
        "calculatedAmount": 9.99,
        "calculatedAmountWithTax": 8.33,
        "calculatedAmountWithoutTax": 8.33,
        "isCalculatedPriceTaxInclusive": True,
    }


@pytest.mark.parametrize(
    ("query", "countries", "is_exempt"),
    [
        ("country_code=gb", ["gb"], True),
        ("country_code=gb", ["de"], False),
        ("region_id={region}", ["gb"], False),  # of two countries: which it is, nobody knows
        ("region_id={region}", None, True),
        ("cart_id={cart}", ["gb"], True),
    ],
)
def test_it_holds_where_the_customer_is_exempt(
    query: str, countries: list[str] | None, is_exempt: bool, region: Region, eve: Customer
) -> None:
    Region.objects.update(tax_rate=20)
    Customer.objects.update(tax_exempt_countries=countries)
    mug(region)
    cart = make.cart(
        actor=make.shopper(customer_id=eve.pk), region_id=region.pk, shipping_address={"country_code": "gb"}
    )
    expected = (9.99, 8.33, 8.33) if is_exempt else (9.99, 9.99, 8.33)
    assert shown(signed_in(eve), query.format(region=region.pk, cart=cart.pk)) == [expected]


def test_a_group_suffices_unless_it_is_deleted(region: Region) -> None:
    mug(region)
    group = CustomerGroup.objects.create(name="Museums", is_tax_exempt=True)
    member = CustomerFactory()
    member.groups.add(group)
    caller = signed_in(member)
    assert shown(caller, "country_code=gb") == [(9.99, 8.33, 8.33)]
    group.deleted_at = group.created_at
    group.save()
    assert shown(caller, "country_code=gb") == [(9.99, 9.99, 8.33)]


def test_without_a_region_there_are_no_taxes(region: Region, eve: Customer) -> None:
    price(VariantFactory(), 5)
    answer = signed_in(eve).get("/store/products", "fields=*variants.calculated_price&currency_code=usd").json()
    [variant] = answer["products"][0]["variants"]
    assert variant["calculated_price"]["calculated_amount_with_tax"] is None


def test_its_answers_are_private_and_cost_no_statement(region: Region, eve: Customer) -> None:
    mug(region)
    counts = []
    for customer in (eve, CustomerFactory()):
        caller = signed_in(customer)
        caller.get("/store/products", "country_code=gb")
        with CaptureQueriesContext(connection) as statements:
            answer = caller.get("/store/products", "fields=*variants.calculated_price&country_code=gb")
        assert "private" in answer["Cache-Control"]
        assert "authorization" in answer["Vary"].lower()
        counts.append(len(statements))
    assert counts[0] == counts[1]
