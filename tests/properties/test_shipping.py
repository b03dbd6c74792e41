"""Shipping options over REST against a slow and plain re-statement of their rules, for carts and shops made up."""

from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carts.lines.lines import NewLineItem
from tests.contract.callers import Caller, storefront
from tests.factories import carts as make
from tests.factories.apikeys import publishable_key
from tests.factories.fulfillment import ProfileFactory, option, zone
from tests.factories.inventory import StockLocationFactory
from tests.factories.pricing import price
from tests.factories.products import ProductFactory
from tests.fulfillment import plain_rules

pytestmark = pytest.mark.django_db

COUNTRIES = ["us", "ca"]
PROVINCES = {"us": ["us-ny", "us-ca"], "ca": ["ca-on"], "fr": ["fr-75c"]}
CITIES = ["Albany", "ALBANY", "York"]
CODES = ["10001", "102 00", "20000", "9"]
EXPRESSIONS = [{"prefix": "10"}, {"prefix": "2"}, {"from": "10000", "to": "10100"}, {"from": "1", "to": "1"}]
PROFILES = [None, 0, 1]


@st.composite
def areas(draw: Any) -> dict[str, Any]:
    kind, country = draw(st.sampled_from(["country", "province", "city", "zip"])), draw(st.sampled_from(["us", "fr"]))
    province, city = draw(st.sampled_from(PROVINCES[country])), draw(st.sampled_from(CITIES))
    area: dict[str, Any] = {"type": kind, "country_id": country}
    if kind == "province" or (kind != "country" and draw(st.booleans())):
        area["province_code"] = province
    if kind == "city" or (kind == "zip" and draw(st.booleans())):
        area["city"] = city
    if kind == "zip":
        area["postal_expression"] = draw(st.sampled_from(EXPRESSIONS))
    return area


@st.composite
def rules(draw: Any) -> tuple[str, str, Any]:
    attribute = draw(st.sampled_from(["is_return", "enabled_in_store", "item_total", "nothing"]))
    values = ["10", "30", "40"] if attribute == "item_total" else ["true", "FALSE", "other"]
    operator = draw(st.sampled_from(["eq", "ne", "in", "nin", *(["gt", "gte", "lt", "lte"] * (len(values[0]) == 2))]))
    many = operator in ("in", "nin")
    return attribute, operator, draw(st.lists(st.sampled_from(values), max_size=2) if many else st.sampled_from(values))


PRICES = st.fixed_dictionaries(
    {
        "amount": st.integers(0, 9),
        "currency_code": st.sampled_from(["usd", "usd", "eur"]),
        "from": st.sampled_from([None, 10, 35]),
    }
)
OPTIONS = st.fixed_dictionaries(
    {
        "areas": st.lists(areas(), min_size=1, max_size=2),
        "profile": st.sampled_from(PROFILES),
        "rules": st.lists(rules(), max_size=2, unique_by=lambda rule: rule[:2]),
        "price_type": st.sampled_from(["flat", "flat", "flat", "calculated"]),
        "prices": st.lists(PRICES, max_size=3, unique_by=lambda one: (one["amount"], one["currency_code"])),
    }
)
LINES = st.fixed_dictionaries(
    {
        "profile": st.sampled_from(PROFILES),
        "ships": st.sampled_from([True, True, False]),
        "price": st.sampled_from([5, 10]),
        "quantity": st.integers(1, 4),
    }
)
ADDRESSES = st.fixed_dictionaries(
    {},
    optional={
        "country_code": st.sampled_from(COUNTRIES),
        "city": st.sampled_from(CITIES),
        "postal_code": st.sampled_from(CODES),
    },
).flatmap(
    lambda address: st.sampled_from(PROVINCES.get(address.get("country_code", ""), []) or [""]).map(
        lambda province: {**address, **({"province": province} if province and "city" in address else {})}
    )
)


@given(options=st.lists(OPTIONS, min_size=1, max_size=4), lines=st.lists(LINES, max_size=3), address=ADDRESSES)
@settings(suppress_health_check=list(HealthCheck), max_examples=60)
def test_what_is_offered_is_what_the_rules_say(
    options: list[dict[str, Any]], lines: list[dict[str, Any]], address: dict[str, str]
) -> None:
    with transaction.atomic():
        named = [{**each, "name": f"option {number}"} for number, each in enumerate(options)]
        cart = {"address": address, "countries": COUNTRIES, "lines": lines}
        caller, cart_id = storefront(publishable_key()), stored(named, cart)
        for is_return in (False, True):
            expected = plain_rules.offered(named, cart, is_return=is_return)
            assert shown(caller, cart_id, is_return=is_return) == expected
        transaction.set_rollback(True)


def stored(options: list[dict[str, Any]], cart: dict[str, Any]) -> str:
    """The cart's id."""
    location, profiles = StockLocationFactory(), [ProfileFactory(), ProfileFactory()]
    for each in options:
        made = option(
            None,
            name=each["name"],
            of=zone(*each["areas"], location=location),
            shipping_profile=None if each["profile"] is None else profiles[each["profile"]],
            rules=each["rules"],
            price_type=each["price_type"],
        )
        for one in each["prices"]:
            bound = {} if one["from"] is None else {"item_total": ("gte", str(one["from"]))}
            price(made.price_set, one["amount"], one["currency_code"], rules=bound)
    pieces = []
    for line in cart["lines"]:
        profile = None if line["profile"] is None else profiles[line["profile"]]
        product = ProductFactory(shipping_profile=profile, is_giftcard=not line["ships"])
        pieces.append(NewLineItem(make.sold_variant(line["price"], product=product).pk, line["quantity"]))
    region = make.selling_region(countries=COUNTRIES)
    return str(make.cart(*pieces, region_id=region.pk, shipping_address=cart["address"] or None).pk)


def shown(caller: Caller, cart_id: str, *, is_return: bool) -> dict[str, Any]:
    query = f"cart_id={cart_id}&is_return={str(is_return).lower()}&fields=name,amount"
    listed = caller.get("/store/shipping-options", query).json()
    assert listed["count"] == len(listed["shipping_options"])
    return {each["name"]: each["amount"] for each in listed["shipping_options"]}
