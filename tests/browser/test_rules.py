"""Rules of price lists and shipping options, whose values are chosen by name."""

import pytest
from pytest_django.live_server_helper import LiveServer

from catalog.models import PriceListRule
from customers.models import CustomerGroup
from tests.browser.chromium import Page
from tests.factories.fulfillment import option
from tests.factories.pricing import PriceListFactory
from tests.factories.shop import RegionFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AREA = "document.querySelector('#id_rules-0-value')"
PICKER = f"{AREA}.previousElementSibling"
SAVE = "document.querySelector('[name=_continue]').click()"


def compare(page: Page, attribute: str) -> None:
    field = "document.querySelector('#id_rules-0-attribute')"
    page.run(f"{field}.value = {attribute!r}; {field}.dispatchEvent(new Event('change'))")
    page.until(f"!{PICKER}.hidden && !document.querySelector('.rule-values .chip')")


def choose(page: Page, name: str) -> None:
    """Type the beginning of the name, and take what is offered."""
    typed = f"((value) => {{ const field = {PICKER}.querySelector('input'); field.value = value;"
    typed += "field.dispatchEvent(new Event('input')); })"
    page.run(f"{typed}({name[:4]!r})")
    page.until(f"[...{PICKER}.querySelectorAll('option')].some((option) => option.value === {name!r})")
    page.run(f"{typed}({name!r})")
    page.until(f"{PICKER}.querySelector('.chip')?.innerText.includes({name!r})")


def test_a_rule_of_a_price_list_is_made_of_names(page: Page, live_server: LiveServer) -> None:
    group, region = CustomerGroup.objects.create(name="Wholesale"), RegionFactory(name="Oceania")
    rule = PriceListRule.objects.create(price_list=PriceListFactory(), attribute="province", value=["us-ny"])
    page.open(f"{live_server.url}/admin/catalog/pricelist/{rule.price_list_id}/change/")
    assert page.run(f"{PICKER}.hidden && !{AREA}.hidden")
    compare(page, "region_id")
    choose(page, "Oceania")
    page.follow(SAVE)
    rule.refresh_from_db()
    assert (rule.attribute, rule.value) == ("region_id", [region.pk])
    page.until(f"{PICKER}.querySelector('.chip')?.innerText.includes('Oceania')")
    assert page.run(f"{AREA}.hidden")
    compare(page, "customer.groups.id")
    choose(page, "Wholesale")
    page.follow(SAVE)
    rule.refresh_from_db()
    assert (rule.attribute, rule.value) == ("customer.groups.id", [group.pk])
    assert page.complaints == []


def test_a_shipping_options_countries_have_names_and_its_cities_are_typed(page: Page, live_server: LiveServer) -> None:
    rules = [("shipping_address.country_code", "in", ["at", "de"]), ("shipping_address.city", "eq", "Wien")]
    shipping = option(rules=rules)
    page.open(f"{live_server.url}/admin/fulfillment/shippingoption/{shipping.pk}/change/")
    page.until("document.querySelectorAll('.rule-values .chip').length === 2")
    chips = page.run("[...document.querySelectorAll('.rule-values .chip')].map((chip) => chip.firstChild.data)")
    assert chips == ["Austria", "Germany"]
    city = "document.querySelector('#id_rules-1-value')"
    assert page.run(f"{city}.hidden || {city}.value") == "Wien"
    assert page.complaints == []
