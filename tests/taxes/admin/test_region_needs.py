"""The page of a region, and the message after countries were added, say what keeps customers there from ordering."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from fulfillment.states import PriceType
from shop.models import Country, PaymentProvider, Region
from tests.factories import carts as make
from tests.factories.fulfillment import option, zone
from tests.factories.inventory import StockLocationFactory
from tests.factories.shop import RegionFactory
from tests.factories.taxes import tax_rate
from tests.kit.admin.forms import sent, submit
from tests.kit.admin.visits import reported, superuser, visitor

pytestmark = [pytest.mark.once, pytest.mark.django_db]


@pytest.fixture
def region() -> Region:
    """Of Austria and Switzerland, with all that customers in both need."""
    region: Region = RegionFactory(countries=["at", "ch"], currency_id="chf", tax_rate=8)
    region.payment_providers.set([PaymentProvider.objects.get_or_create(id="pp_system_default", is_enabled=True)[0]])
    return region


def shown(client: Client, region: Region) -> str:
    page = client.get(f"/admin/shop/region/{region.pk}/change/").content.decode()
    found = re.search(r"Still needed.*?<div class=\"readonly[^>]*>(.*?)</div>", page, re.DOTALL)
    assert found
    return " ".join(unescape(strip_tags(found[1].replace("</li>", " "))).split())


def test_a_region_with_everything_needs_nothing(region: Region) -> None:
    option(of=zone("at", "ch"), currency_code="chf")
    assert shown(superuser(), region) == "Nothing: customers in each of its countries can order."


def test_places_that_no_zone_covers(region: Region) -> None:
    option(of=zone("at"), currency_code="chf")
    assert shown(superuser(), region) == (
        "No service zone covers Switzerland: nothing can be shipped there. Add it to one of the Service zones."
    )


def test_zones_without_an_option_or_with_options_for_returns_alone(region: Region) -> None:
    option(of=zone("at"), currency_code="chf")
    option(of=zone("ch"), currency_code="chf", rules=[("is_return", "eq", "true")])
    assert shown(superuser(), region) == (
        "The service zone of Switzerland has no shipping option. Add one to the Shipping options."
    )


def test_options_without_a_price_in_the_currency(region: Region) -> None:
    both = zone("at", "ch")
    option(of=both, currency_code="eur")
    assert shown(superuser(), region) == (
        "No shipping option of Austria and Switzerland has a price in Swiss Franc. See Shipping options."
    )
    option(None, of=both, price_type=PriceType.CALCULATED)
    assert shown(superuser(), region).startswith("Nothing:")


def test_locations_without_a_sales_channel(region: Region) -> None:
    location = StockLocationFactory()
    option(of=zone("at", "ch", location=location), currency_code="chf")
    location.sales_channels.clear()
    assert shown(superuser(), region) == (
        "Nothing is shipped to Austria and Switzerland: the locations that ship there belong to no sales channel. "
        "See Fulfillment sets and Stock locations."
    )


def test_payment_prices_and_taxes(region: Region) -> None:
    option(of=zone("at", "ch"), currency_code="chf")
    client = superuser()
    make.sold_variant(10)  # in US dollars
    assert shown(client, region) == (
        "1 of the 1 newest published products have no price in Swiss Franc: they cannot be bought. See Products."
    )
    Region.objects.update(tax_rate=0, currency_id="usd")
    option(of=zone("at", "ch"))
    tax_rate("at", 20)
    assert shown(client, region) == (
        "No tax is charged in Switzerland: neither a tax region nor this region has a rate. See Tax regions."
    )
    PaymentProvider.objects.update(is_enabled=False)
    assert "None of its payment providers is enabled: customers cannot pay. See Payment providers." in shown(
        client, region
    )
    region.payment_providers.clear()
    assert "It has no payment provider: customers cannot pay." in shown(client, region)


def test_users_are_linked_only_to_what_they_may_open(region: Region) -> None:
    address = f"/admin/shop/region/{region.pk}/change/"
    link = 'href="/admin/fulfillment/servicezone/"'
    assert link in superuser().get(address).content.decode()
    page = visitor("shop.view_region").get(address).content.decode()
    assert link not in page
    assert "Add it to one of the Service zones." in page


def test_adding_a_country_says_what_it_needs(region: Region) -> None:
    client = superuser()
    option(of=zone("at", "ch"), currency_code="chf")
    address = f"/admin/shop/region/{region.pk}/change/"
    unchanged = submit(client, address, sent(client, address, name="Alps"))
    assert [one for one in reported(unchanged) if "needs" in one] == []
    saved = submit(client, address, sent(client, address, countries=["at", "ch", "li"]))
    (said,) = (one for one in reported(saved) if "needs" in one)
    assert "Alps needs more before customers can order:" in said
    assert "No service zone covers Liechtenstein" in said
    assert Country.objects.get(pk="li").region == region


def test_it_costs_as_many_statements_for_many_countries(region: Region) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/admin/shop/region/{region.pk}/change/")
        return len(queries)

    client = superuser()
    client.get("/admin/")
    few = statements()
    Country.objects.filter(pk__in=["fr", "it", "li", "de"]).update(region=region)
    assert statements() == few
