"""How many SQL statements shipping costs: as many for 200 options, 50 lines and 20 zones as for one of each."""

from typing import Any

import pytest

from carts.models import Cart
from catalog.models import PriceSet
from fulfillment.models import ServiceZone, ShippingOption, ShippingOptionRule
from tests.architecture.test_query_budgets import statements, store
from tests.contract.callers import Caller
from tests.factories import carts as make
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import StockLocationFactory
from tests.factories.pricing import PriceListFactory, price

pytestmark = pytest.mark.django_db

PATH = "/store/shipping-options"


def stocked(*, options: int = 1, lines: int = 1, zones: int = 1, listed: bool = False, **given: Any) -> Cart:
    """A cart of so many lines, and so many options in each of so many zones, that all fit it."""
    location = StockLocationFactory()
    places = [zone(location=location) for _ in range(zones)]
    for place in places:
        fill(place, options)
    if listed:
        price(ShippingOption.objects.all()[0].price_set, 1, price_list=PriceListFactory())
    given.setdefault("shipping_address", {"country_code": "us", "province": "ny"})
    return make.cart(*(make.sold_variant(3, in_stock=9) for _ in range(lines)), **given)


def fill(place: ServiceZone, amount: int) -> None:
    first = option(5, of=place, rules=[("is_return", "eq", "false"), ("enabled_in_store", "eq", "true")])
    sets = PriceSet.objects.bulk_create(PriceSet() for _ in range(amount - 1))
    more = ShippingOption.objects.bulk_create(
        ShippingOption(name=f"{place.pk} {number}", service_zone=place, price_set=each, provider_id="manual_manual")
        for number, each in enumerate(sets)
    )
    for each in sets:
        price(each, 7)
    ShippingOptionRule.objects.bulk_create(
        ShippingOptionRule(shipping_option=each, attribute="is_return", operator="eq", value="false") for each in more
    )
    assert first.rules.count() == 2


def listing(caller: Caller, cart: Cart, count: int) -> int:
    with statements() as texts:
        response = caller.get(PATH, f"cart_id={cart.pk}&limit=1000")
    assert (response.status_code, response.json()["count"]) == (200, count), response.content
    return len(texts)


@pytest.mark.parametrize(
    ("many", "count"),
    [({}, 1), ({"options": 5}, 5), ({"options": 200}, 200), ({"lines": 50}, 1), ({"zones": 20}, 20)],
    ids=str,
)
def test_a_list_costs_eight_statements(many: dict[str, int], count: int) -> None:
    assert listing(store(), stocked(**many), count) == 8


def test_price_lists_cost_one_more_and_a_cart_without_an_address_as_many() -> None:
    assert listing(store(), stocked(options=5, listed=True), 5) == 9
    assert listing(store(), stocked(shipping_address=None), 6) == 9


def test_nothing_is_asked_for_where_nothing_fits() -> None:
    assert listing(store(), make.cart(), 0) == 5


@pytest.mark.parametrize("many", [{}, {"options": 20}, {"lines": 20}, {"zones": 5}], ids=str)
def test_a_choice_costs_as_many_statements_for_many_as_for_one(many: dict[str, int]) -> None:
    cart, caller = stocked(**many), store()
    body = {"option_id": ShippingOption.objects.order_by("pk")[0].pk}
    costs = []
    for _ in range(2):
        with statements() as texts:
            assert caller.post(f"/store/carts/{cart.pk}/shipping-methods", body).status_code == 200
        costs.append(len(texts))
    assert costs == [33, 33]


def test_a_chosen_method_costs_a_cart_one_statement_more_for_its_taxes() -> None:
    cart, caller = stocked(region_id=make.selling_region(tax_rate=5).pk), store()

    def read() -> int:
        with statements() as texts:
            assert caller.get(f"/store/carts/{cart.pk}").status_code == 200
        return len(texts)

    before = read()
    chosen = {"option_id": ShippingOption.objects.get().pk}
    assert caller.post(f"/store/carts/{cart.pk}/shipping-methods", chosen).status_code == 200
    assert read() == before + 1
