"""For whom prices are: what a request says, whom it is looked up by, and what is refused."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.prices import price_context, price_parameters
from catalog.prices.price_context import PriceContext
from catalog.prices.price_parameters import Source
from kit.domain.actor import ANONYMOUS
from kit.errors import InvalidData
from kit.values.timestamps import now
from shop.models import Currency, Region, Store
from shop.taxes import Goods, TaxPlace
from taxes.models import TaxRate
from tests.factories.shop import RegionFactory
from tests.factories.taxes import tax_rate

pytestmark = pytest.mark.django_db


@pytest.fixture
def europe():
    region = RegionFactory(name="Europe", currency_id="eur", tax_rate="20", countries=["de", "es"])
    tax_rate("de", 19)
    tax_rate("es", 7, "es-cn")
    return region


def parsed(**given) -> PriceContext | None:
    return price_parameters.requested(price_parameters.parse(given, ANONYMOUS)).context


def rate_in(context: PriceContext) -> int:
    [[tax]] = context.tax_place.taxes_on([Goods()])
    return tax.rate


def test_a_region_brings_its_currency_its_tax_and_its_name_for_rules(europe):
    context = parsed(region_id=europe.pk)

    assert context == PriceContext(
        currency_code="eur", attributes={"region_id": europe.pk, "currency_code": "eur"}, tax_place=TaxPlace(20_0000)
    )


@pytest.mark.parametrize(
    ("given", "rate"),
    [
        ({"country_code": "DE"}, 19_0000),
        ({"country_code": "es"}, 20_0000),
        ({"country_code": "es", "province": "ES-CN"}, 7_0000),
        ({"country_code": "es", "province": "cn"}, 7_0000),
        ({"province": "ES-cn"}, 7_0000),
        ({"province": " es-CN", "currency_code": "EUR"}, 7_0000),
        ({"province": "de-be"}, 19_0000),
        ({"country_code": "es", "province": "es-md"}, 20_0000),
        ({"country_code": "de", "province": "de-be"}, 19_0000),
    ],
    ids=str,
)
def test_the_tax_is_the_provinces_else_the_countrys_else_the_regions(europe, given, rate):
    context = parsed(**given)

    assert (context.region_id, context.currency_code, rate_in(context)) == (europe.pk, "eur", rate)


def test_a_deleted_rate_does_not_count(europe):
    TaxRate.objects.update(deleted_at=now())

    assert rate_in(parsed(country_code="de")) == 20_0000


def test_place_and_money_are_attributes_for_rules(europe):
    assert parsed(country_code="ES", province="cn").attributes == {
        "region_id": europe.pk,
        "currency_code": "eur",
        "country_code": "es",
        "province": "es-cn",
    }


def test_a_currency_alone_knows_neither_region_nor_tax():
    Currency.objects.filter(code="jpy").update(is_tax_inclusive=True)

    assert parsed(currency_code="JPY") == PriceContext(
        currency_code="jpy", attributes={"currency_code": "jpy"}, currency_is_tax_inclusive=True
    )


def test_whether_amounts_hold_the_tax_is_said_by_region_and_currency(europe):
    Region.objects.update(is_tax_inclusive=True)
    context = parsed(region_id=europe.pk)
    assert (context.region_is_tax_inclusive, context.currency_is_tax_inclusive) == (True, False)

    Region.objects.update(is_tax_inclusive=False)
    Currency.objects.filter(code="eur").update(is_tax_inclusive=True)
    context = parsed(country_code="de", currency_code="EUR")
    assert (context.region_is_tax_inclusive, context.currency_is_tax_inclusive) == (False, True)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"region_id": "reg_unknown"}, ["region_id", "reg_unknown"]),
        ({"region_id": ""}, ["region_id"]),
        ({"region_id": "reg_\0"}, ["region_id"]),
        ({"country_code": "zz"}, ["country_code", "zz"]),
        ({"country_code": ""}, ["country_code"]),
        ({"country_code": "fr"}, ["country_code", "fr"]),
        ({"country_code": "de", "region_id": "reg_other"}, ["country_code", "de", "reg_other"]),
        ({"currency_code": "xyz"}, ["currency_code", "xyz"]),
        ({"currency_code": ""}, ["currency_code"]),
        ({"country_code": "de", "currency_code": "usd"}, ["currency_code", "usd", "eur"]),
        ({"province": "ny"}, ["province", "country_code"]),
        ({"province": "Canarias", "currency_code": "eur"}, ["province", "country_code"]),
        ({"province": "zz-cn"}, ["province", "zz-cn"]),
        ({"province": "es-zz"}, ["province", "es-zz"]),
        ({"province": "fr-75"}, ["province", "fr"]),
        ({"province": ""}, ["province"]),
        ({"country_code": "de", "province": "es-cn"}, ["province", "es-cn"]),
    ],
    ids=str,
)
def test_what_is_unknown_or_does_not_fit_is_refused_by_name_before_any_price_is_asked_for(europe, given, named):
    with pytest.raises(InvalidData) as refusal:
        price_parameters.parse(given, ANONYMOUS)

    assert [word for word in named if word not in refusal.value.message] == []


def test_a_whole_province_says_its_country(europe):
    assert parsed(province="ES-CN", region_id=europe.pk) == parsed(country_code="es", province="cn")


def test_a_place_outside_the_given_region_is_refused(europe):
    other = RegionFactory(countries=["us"])

    with pytest.raises(InvalidData, match="province"):
        parsed(region_id=other.pk, province="es-cn")

    with pytest.raises(InvalidData, match="country_code"):
        parsed(region_id=other.pk, country_code="de")
    assert parsed(region_id=other.pk, country_code="us").region_id == other.pk


def test_a_deleted_region_is_unknown_by_itself_and_by_its_countries(europe):
    Region.objects.update(deleted_at=now())

    with pytest.raises(InvalidData, match="region_id"):
        parsed(region_id=europe.pk)
    with pytest.raises(InvalidData, match="country_code"):
        parsed(country_code="de")


def test_without_parameters_the_stores_default_region_is_meant(europe):
    RegionFactory()
    Store.objects.update(default_region=europe)

    assert parsed() == parsed(region_id=europe.pk)


def test_without_a_default_region_the_only_one_is_meant_and_of_several_none(europe):
    assert parsed() == parsed(region_id=europe.pk)

    other = RegionFactory()
    assert parsed() is None

    Region.objects.filter(pk=other.pk).update(deleted_at=now())
    assert parsed() == parsed(region_id=europe.pk)


def test_a_shop_without_regions_has_no_context():
    assert parsed() is None


def statements(**given):
    with CaptureQueriesContext(connection) as captured:
        known = price_parameters.parse(given, ANONYMOUS)
        at_once = len(captured)
        assert price_parameters.context_of(known, ANONYMOUS) is price_parameters.requested(known).context
    return at_once, len(captured)


def test_a_request_is_looked_up_once_and_only_when_it_matters(europe):
    assert statements(region_id=europe.pk) == (1, 1)
    assert statements(country_code="es") == (1, 1)
    assert statements(country_code="es", province="cn", region_id=europe.pk, currency_code="eur") == (1, 1)
    assert statements(currency_code="eur") == (1, 1)
    assert statements() == (0, 1)


def test_routes_offer_their_own_parameters_and_the_carts():
    assert list(price_parameters.PARAMETERS) == ["region_id", "country_code", "province", "currency_code", "cart_id"]


@pytest.fixture
def baskets(monkeypatch, europe):
    """Two sources of a higher app: baskets, whose ids are currency codes, and before them cards that never say."""
    monkeypatch.setattr(price_parameters, "_sources", list(price_parameters._sources))
    descriptions = dict(price_parameters._descriptions)
    yield (
        Source(30, {"basket_id": "A basket."}, lambda given, _: price_context.find(currency_code=given["basket_id"])),
        Source(25, {"card_id": "A card."}, lambda given, _: None),
    )
    price_parameters._descriptions.clear()
    price_parameters._descriptions.update(descriptions)


def test_an_app_further_up_adds_a_source_between_the_routes_own_and_the_store(baskets, europe):
    Store.objects.update(default_region=europe)
    for source in baskets:
        price_parameters.add_source(source)

    assert price_parameters.PARAMETERS["basket_id"] == "A basket."
    assert parsed(basket_id="jpy").currency_code == "jpy"
    assert parsed(card_id="1", basket_id="jpy").currency_code == "jpy"
    assert parsed(basket_id="jpy", currency_code="usd").currency_code == "usd"
    assert parsed(card_id="1").region_id == europe.pk
    with pytest.raises(InvalidData):
        parsed(basket_id="bad", currency_code="usd")


def test_a_taken_parameter_or_rank_is_refused(baskets):
    price_parameters.add_source(baskets[0])

    with pytest.raises(ImproperlyConfigured, match="basket_id"):
        price_parameters.add_source(Source(40, {"basket_id": ""}, lambda given, _: None))
    with pytest.raises(ImproperlyConfigured, match="30"):
        price_parameters.add_source(Source(30, {"other": ""}, lambda given, _: None))
