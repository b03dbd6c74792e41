"""Calculated prices as they are answered, read from the database for many price sets at once."""

from datetime import timedelta

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.models import Price, PriceList, PriceListRule, PriceRule
from catalog.prices import price_context, price_parameters
from catalog.prices.calculated_prices import calculate, load_calculated_prices
from catalog.states import PriceListStatus, PriceListType
from kit.domain.actor import ANONYMOUS
from kit.reads.declarations.computed import Batch
from kit.values.timestamps import now
from shop.models import Currency, Region
from shop.taxes import Goods
from tests.factories.pricing import PriceListFactory, price
from tests.factories.products import PriceSetFactory
from tests.factories.shop import RegionFactory
from tests.factories.taxes import tax_rate

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def america():
    return RegionFactory(name="America", tax_rate="10", countries=["us"])


def answers(*price_sets, **given):
    known = price_parameters.parse(given, ANONYMOUS)
    rows = [(price_set and price_set.pk, None, None, False) for price_set in price_sets]
    return load_calculated_prices(Batch(rows, ANONYMOUS, known))


def amounts(price_set, **given):
    [answer] = answers(price_set, **given)
    return answer and (answer["calculated_amount"], answer["original_amount"])


def taxes(price_set, **given):
    [answer] = answers(price_set, **given)
    return (
        answer["is_calculated_price_tax_inclusive"],
        answer["calculated_amount_with_tax"],
        answer["calculated_amount_without_tax"],
    )


def test_an_answer_holds_every_field_and_both_references(america):
    price_set = PriceSetFactory()
    base = price(price_set, "19.5", min_quantity=0, max_quantity=0)
    summer = PriceListFactory()
    cheap = price(price_set, "15", price_list=summer, min_quantity=1, max_quantity=5)

    [answer] = answers(price_set, region_id=america.pk)

    assert orjson.dumps(answer) == orjson.dumps(
        {
            "id": price_set.pk,
            "is_calculated_price_price_list": True,
            "is_calculated_price_tax_inclusive": False,
            "calculated_amount": 15,
            "calculated_amount_with_tax": 16.5,
            "calculated_amount_without_tax": 15,
            "is_original_price_price_list": False,
            "is_original_price_tax_inclusive": False,
            "original_amount": 19.5,
            "original_amount_with_tax": 21.45,
            "original_amount_without_tax": 19.5,
            "currency_code": "usd",
            "calculated_price": {
                "id": cheap.pk,
                "price_list_id": summer.pk,
                "price_list_type": "sale",
                "min_quantity": 1,
                "max_quantity": 5,
            },
            "original_price": {
                "id": base.pk,
                "price_list_id": None,
                "price_list_type": None,
                "min_quantity": None,
                "max_quantity": None,
            },
        }
    )


def test_where_all_prices_are_on_sale_the_original_is_an_object_of_nulls(america):
    price_set = PriceSetFactory()
    price(price_set, 8, price_list=PriceListFactory())

    [answer] = answers(price_set, region_id=america.pk)

    assert (answer["calculated_amount"], answer["original_amount"], answer["original_amount_with_tax"]) == (
        8,
        None,
        None,
    )
    assert (answer["is_original_price_price_list"], answer["is_original_price_tax_inclusive"]) == (False, False)
    assert set(answer["original_price"].values()) == {None}
    assert answer["original_price"].keys() == answer["calculated_price"].keys()


def test_rows_are_answered_in_their_order_with_none_where_no_price_applies(america):
    cheap, foreign, empty, dear = (PriceSetFactory() for _ in range(4))
    price(cheap, 1)
    price(foreign, 2, currency_code="eur")
    price(dear, 3)

    found = answers(dear, None, foreign, empty, cheap, region_id=america.pk)

    assert [answer and answer["calculated_amount"] for answer in found] == [3, None, None, None, 1]


def test_without_a_region_known_by_any_means_no_price_applies():
    price_set = PriceSetFactory()
    price(price_set, 1)
    with CaptureQueriesContext(connection) as statements:
        assert answers(price_set) == [None]

    assert len(statements) == 1  # for the store's default region


def test_rows_without_a_price_set_ask_nothing():
    with CaptureQueriesContext(connection) as statements:
        assert answers(None, None) == [None, None]

    assert len(statements) == 0


def test_a_route_without_price_parameters_sells_at_the_default_region(america):
    price_set = PriceSetFactory()
    price(price_set, 1)

    [answer] = load_calculated_prices(Batch([(price_set.pk, None, None, False)], ANONYMOUS, {}))

    assert (answer["calculated_amount"], answer["calculated_amount_with_tax"]) == (1, 1.1)


def test_a_region_has_its_own_prices(america):
    other = RegionFactory()
    price_set = PriceSetFactory()
    price(price_set, 10)
    price(price_set, 12, region=america)

    assert amounts(price_set, region_id=america.pk) == (12, 12)
    assert amounts(price_set, country_code="US") == (12, 12)
    assert amounts(price_set, region_id=other.pk) == (10, 10)
    assert amounts(price_set, currency_code="usd") == (10, 10)


def test_quantity_and_further_attributes_belong_to_the_context(america):
    price_set = PriceSetFactory()
    price(price_set, 10)
    price(price_set, 8, min_quantity=10)
    price(price_set, 5, rules={"item_total": ("gte", "100")})

    def paid(**more):
        context = price_context.find(region_id=america.pk, **more)
        return calculate({price_set.pk: Goods()}, context)[price_set.pk]["calculated_amount"]

    assert paid() == 10
    assert paid(quantity=10) == 8
    assert paid(attributes={"item_total": 100}) == 5
    assert paid(attributes={"item_total": 99}) == 10


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({}, (8, 10), id="active"),
        pytest.param({"status": PriceListStatus.DRAFT}, (10, 10), id="draft"),
        pytest.param({"deleted_at": now()}, (10, 10), id="deleted"),
        pytest.param({"starts_at": now() + HOUR}, (10, 10), id="not begun"),
        pytest.param({"starts_at": now() - HOUR}, (8, 10), id="begun"),
        pytest.param({"ends_at": now() - HOUR}, (10, 10), id="over"),
        pytest.param({"ends_at": now() + HOUR}, (8, 10), id="not over"),
        pytest.param({"starts_at": now() - HOUR, "ends_at": now() + HOUR}, (8, 10), id="within"),
        pytest.param({"type": PriceListType.OVERRIDE}, (8, 8), id="override"),
    ],
)
def test_a_list_has_prices_while_it_is_active_and_within_its_dates(america, change, expected):
    price_set = PriceSetFactory()
    price(price_set, 10)
    price(price_set, 8, price_list=PriceListFactory())
    PriceList.objects.update(**change)

    assert amounts(price_set, region_id=america.pk) == expected


def test_a_lists_rules_hold_for_all_its_prices(america):
    other = RegionFactory()
    price_set = PriceSetFactory()
    price(price_set, 10)
    price(
        price_set, 8, price_list=PriceListFactory(rules={"region_id": [other.pk, "reg_more"], "currency_code": ["usd"]})
    )

    assert amounts(price_set, region_id=other.pk) == (8, 10)
    assert amounts(price_set, region_id=america.pk) == (10, 10)


def test_deleted_prices_and_rules_do_not_count(america):
    price_set = PriceSetFactory()
    price(price_set, 10)
    gone = price(price_set, 1)
    freed = price(price_set, 9, rules={"item_total": "5"})
    sale = price(price_set, 8, price_list=PriceListFactory(rules={"item_total": ["5"]}))
    Price.objects.filter(pk=gone.pk).update(deleted_at=now())
    assert amounts(price_set, region_id=america.pk) == (10, 10)

    PriceRule.objects.filter(price=freed).update(deleted_at=now())
    assert amounts(price_set, region_id=america.pk) == (9, 9)

    PriceListRule.objects.filter(price_list=sale.price_list).update(deleted_at=now())
    assert amounts(price_set, region_id=america.pk) == (8, 9)


def test_a_price_holds_the_tax_if_its_currency_says_so_or_for_a_regions_own_price_the_region(america):
    common, own = PriceSetFactory(), PriceSetFactory()
    price(common, 11)
    price(own, 11, region=america)
    assert taxes(common, region_id=america.pk) == taxes(own, region_id=america.pk) == (False, 12.1, 11)

    Region.objects.update(is_tax_inclusive=True)
    assert taxes(common, region_id=america.pk) == (False, 12.1, 11)
    assert taxes(own, region_id=america.pk) == (True, 11, 10)

    Region.objects.update(is_tax_inclusive=False)
    Currency.objects.filter(code="usd").update(is_tax_inclusive=True)
    assert taxes(common, region_id=america.pk) == (True, 11, 10)
    assert taxes(own, region_id=america.pk) == (False, 12.1, 11)
    assert taxes(common, currency_code="usd") == (True, None, None)


def test_calculated_and_original_price_have_each_their_own_tax_inclusion(america):
    Region.objects.update(is_tax_inclusive=True)
    price_set = PriceSetFactory()
    price(price_set, 22)
    price(price_set, 11, region=america, price_list=PriceListFactory())

    [answer] = answers(price_set, region_id=america.pk)

    assert (answer["is_calculated_price_tax_inclusive"], answer["calculated_amount_without_tax"]) == (True, 10)
    assert (answer["is_original_price_tax_inclusive"], answer["original_amount_with_tax"]) == (False, 24.2)


def test_the_tax_is_that_of_the_buyers_province(america):
    price_set = PriceSetFactory()
    price(price_set, 100)
    tax_rate("us", "8.875", "us-ny")

    assert taxes(price_set, country_code="us", province="NY") == (False, 108.88, 100)
    assert taxes(price_set, country_code="us") == (False, 110, 100)


def test_a_hundred_sets_cost_the_statements_of_one(america):
    price_sets = [PriceSetFactory() for _ in range(100)]
    lists = [PriceListFactory(rules={"region_id": [america.pk]}) for _ in range(3)]
    for number, price_set in enumerate(price_sets):
        price(price_set, 10, region=america)
        price(price_set, 9, price_list=lists[number % 3])

    for some in (price_sets[:1], price_sets):
        with CaptureQueriesContext(connection) as statements:
            found = answers(*some, region_id=america.pk)
        assert [answer["calculated_amount"] for answer in found] == [9] * len(some)
        assert len(statements) == 3  # the region; prices with rules; lists with rules


def test_without_lists_there_is_one_statement_less(america):
    price_set = PriceSetFactory()
    price(price_set, 10)

    with CaptureQueriesContext(connection) as statements:
        answers(price_set, region_id=america.pk)

    assert len(statements) == 2
