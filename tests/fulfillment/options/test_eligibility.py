"""Which ways of shipping fit a cart: the rules as one table."""

from decimal import Decimal
from typing import Any

import pytest

from carts.pricing.destination import Destination
from fulfillment.options.eligibility import (
    Area,
    OptionRule,
    ServedZone,
    all_hold,
    fits_goods,
    holds,
    is_served,
    without_replaced,
)
from fulfillment.postal_codes import problem

NEW_YORK = Destination("us", "us-ny", "New York", "10001-1234")
LYON = Destination("fr", None, "Lyon", "69002")
NOWHERE = Destination()
REGION = {"us", "ca"}
US, FR = "us", "fr"
ZIP = {"from": "10000", "to": "10299"}

PLACES: list[tuple[Area, Destination, bool]] = [
    # the area, where the cart goes, whether it is served
    (Area("country", US), NEW_YORK, True),
    (Area("country", FR), NEW_YORK, False),
    (Area("country", "US"), Destination("us"), True),
    (Area("country", US), Destination("US"), True),
    (Area("country", US), Destination("us", "somewhere"), True),
    (Area("country", US), NOWHERE, True),
    (Area("country", FR), NOWHERE, False),
    (Area("country", US), Destination(None, "us-ny", "New York", "10001"), True),
    (Area("country", US), Destination("", None, None, None), True),
    (Area("province", US, "us-ny"), NEW_YORK, True),
    (Area("province", US, "US-NY"), NEW_YORK, True),
    (Area("province", US, "us-ca"), NEW_YORK, False),
    (Area("province", US, "us-ny"), Destination("us"), False),
    (Area("province", US, "us-ny"), Destination("us", ""), False),
    (Area("province", US, "us-ny"), Destination("us", "New Yorkshire"), False),
    (Area("province", "ca", "us-ny"), NEW_YORK, False),
    (Area("province", "ca", "ca-on"), NOWHERE, True),
    (Area("province", FR, "fr-75"), NOWHERE, False),
    (Area("city", US, None, "New York"), NEW_YORK, True),
    (Area("city", US, None, "new YORK "), NEW_YORK, True),
    (Area("city", US, None, "Albany"), NEW_YORK, False),
    (Area("city", US, "us-ny", "New York"), NEW_YORK, True),
    (Area("city", US, "us-ca", "New York"), NEW_YORK, False),
    (Area("city", US, "us-ny", "New York"), Destination("us", None, "New York"), True),
    (Area("city", US, None, "New York"), Destination("us", "us-ny"), False),
    (Area("city", FR, None, "Lyon"), LYON, True),
    (Area("city", US, None, "Lyon"), LYON, False),
    (Area("zip", US, None, None, ZIP), NEW_YORK, True),
    (Area("zip", US, None, None, ZIP), NEW_YORK._replace(postal_code="10300"), False),
    (Area("zip", US, None, None, ZIP), NEW_YORK._replace(postal_code="10299"), True),
    (Area("zip", US, None, None, ZIP), NEW_YORK._replace(postal_code="09999"), False),
    (Area("zip", US, None, None, ZIP), NEW_YORK._replace(postal_code="1"), False),
    (Area("zip", US, None, None, ZIP), NEW_YORK._replace(postal_code=None), False),
    (Area("zip", US, None, None, ZIP), NEW_YORK._replace(postal_code=" "), False),
    (Area("zip", US, None, None, {"prefix": "100"}), NEW_YORK, True),
    (Area("zip", US, None, None, {"prefix": "1 00-01"}), NEW_YORK, True),
    (Area("zip", US, None, None, {"prefix": "101"}), NEW_YORK, False),
    (Area("zip", US, None, None, {"prefix": ""}), NEW_YORK, False),
    (Area("zip", US, None, None, "10001 1234"), NEW_YORK, True),
    (Area("zip", US, None, None, "10001"), NEW_YORK, False),
    (Area("zip", "gb", None, None, "sw1a1aa"), Destination("gb", None, None, "SW1A 1AA"), True),
    (Area("zip", US, None, None, ["94000", "10001-1234"]), NEW_YORK, True),
    (Area("zip", US, None, None, ["94000", {"prefix": "10"}]), NEW_YORK, True),
    (Area("zip", US, None, None, []), NEW_YORK, False),
    (Area("zip", US, None, None, {"from": "1"}), NEW_YORK, False),
    (Area("zip", US, None, None, {"from": "", "to": "9"}), NEW_YORK, False),
    (Area("zip", US, None, None, 10001), NEW_YORK, False),
    (Area("zip", US, None, None, None), NEW_YORK, False),
    (Area("zip", US, "us-ny", "New York", ZIP), NEW_YORK, True),
    (Area("zip", US, "us-ca", None, ZIP), NEW_YORK, False),
    (Area("zip", US, None, "Albany", ZIP), NEW_YORK, False),
    (Area("zip", US, "us-ny", "Albany", ZIP), Destination("us", None, None, "10001"), True),
    (Area("zip", FR, None, None, ZIP), NEW_YORK, False),
    (Area("zip", US, None, None, ZIP), NOWHERE, True),
]


@pytest.mark.parametrize(("area", "destination", "expected"), PLACES)
def test_places(area: Area, destination: Destination, expected: bool) -> None:
    assert is_served(area, destination, REGION) is expected


SHORT, LONG, CENTRAL = "PA6 7LN", "PA67 8AB", "SW1A 1AA"
"""A British code whose letters, without the blank, begin like the second one."""

BRITISH: list[tuple[Any, str, bool]] = [
    ({"prefix": "PA67"}, SHORT, False),
    ({"prefix": "PA67"}, "pa67ln", False),
    ({"prefix": "PA67"}, LONG, True),
    ({"prefix": "PA67"}, "pa678ab", True),
    ({"prefix": "PA6"}, SHORT, True),
    ({"prefix": "PA6"}, LONG, True),
    ({"prefix": "PA"}, SHORT, True),
    ({"prefix": "P"}, SHORT, True),
    ({"prefix": "PA6 7"}, SHORT, True),
    ({"prefix": "PA6 7"}, LONG, False),
    ({"prefix": "PA67 8"}, LONG, True),
    ({"prefix": "PA67L"}, SHORT, True),
    ({"prefix": "M11"}, "M1 1AE", False),
    ({"prefix": "M11"}, "M11 2AA", True),
    ({"prefix": "SW1A"}, CENTRAL, True),
    ({"prefix": "SW1A1"}, CENTRAL, True),
    ({"prefix": "SW1 A"}, CENTRAL, False),
    ({"outward_code": "PA6"}, SHORT, True),
    ({"outward_code": "pa6"}, "PA67LN", True),
    ({"outward_code": "PA6"}, LONG, False),
    ({"outward_code": "PA67"}, SHORT, False),
    ({"outward_code": "SW1"}, CENTRAL, False),
    ({"outward_code": ""}, "7LN", False),
    ({"from": "PA20", "to": "PA60"}, "PA38 4AA", True),
    ({"from": "PA20", "to": "PA60"}, "PA2 6AB", False),
    ({"from": "PA20", "to": "PA60"}, SHORT, False),
    ({"from": "PA20", "to": "PA60"}, LONG, False),
    ({"from": "PA9", "to": "PA11"}, "PA10 2AB", True),
    ({"from": "PA60", "to": "PA80"}, SHORT, False),
    ({"from": "IV1", "to": "PA80"}, "KW1 4AA", True),
    ({"from": "PA6 7LA", "to": "PA6 7LZ"}, SHORT, True),
]


@pytest.mark.parametrize(("expression", "code", "expected"), BRITISH)
def test_british_postal_codes(expression: Any, code: str, expected: bool) -> None:
    for country in ("gb", "GB", "im"):
        there = Destination(country, None, None, code)
        assert is_served(Area("zip", country, None, None, expression), there, REGION) is expected


def test_the_same_letters_elsewhere_are_a_prefix() -> None:
    assert is_served(Area("zip", US, None, None, {"prefix": "PA67"}), Destination("us", None, None, SHORT), REGION)
    assert not is_served(Area("zip", US, None, None, {"outward_code": "10"}), NEW_YORK, REGION)


@pytest.mark.parametrize(
    "expression",
    [
        *({}, [], [{}], "", 5),
        *({"prefix": " - "}, {"prefix": 10}, {"from": "1"}, {"from": "1", "to": ""}, {"outward": "PA6"}),
        {"prefix": "1", "from": "2", "to": "3"},
    ],
)
def test_an_expression_that_could_match_nothing_is_a_problem(expression: Any) -> None:
    assert problem(expression) == (
        'Expected a postal code, {"prefix": "10"}, {"from": "75000", "to": "75999"}, {"outward_code": "PA6"} or a list'
        " of these"
    )


@pytest.mark.parametrize("expression", ["10001", {"prefix": "1"}, {"from": "1", "to": "2"}, {"outward_code": "PA6"}])
def test_a_valid_expression_is_none(expression: Any) -> None:
    assert problem(expression) is problem([expression, "2"]) is None


COUNTRY, PROVINCE, CITY = Area("country", "us"), Area("province", "us", "us-ny"), Area("city", "us", None, "Albany")
CODES = Area("zip", "us", None, None, {"prefix": "1"})


@pytest.mark.parametrize(
    ("zones", "left"),
    [
        ([("wide", False, COUNTRY), ("narrow", False, CODES)], {"wide", "narrow"}),
        ([("wide", False, COUNTRY), ("narrow", True, CODES)], {"narrow"}),
        ([("wide", True, COUNTRY), ("narrow", False, CODES)], {"wide", "narrow"}),
        ([("wide", True, COUNTRY)], {"wide"}),
        ([("wide", False, COUNTRY), ("middle", True, PROVINCE), ("narrow", False, CODES)], {"middle", "narrow"}),
        ([("wide", False, PROVINCE), ("narrow", True, CITY)], {"narrow"}),
        ([("one", True, CITY), ("other", False, CITY)], {"one", "other"}),
        ([("both", False, COUNTRY), ("both", False, CODES), ("narrow", True, CODES)], {"both", "narrow"}),
        ([], set()),
    ],
)
def test_a_zone_can_replace_the_wider_ones(zones: list[tuple[str, bool, Area]], left: set[str]) -> None:
    served = [ServedZone(zone_id, "fuset_1", replaces, area) for zone_id, replaces, area in zones]
    elsewhere = ServedZone("elsewhere", "fuset_2", False, COUNTRY)
    assert without_replaced([*served, elsewhere]) == {*left, "elsewhere"}


KNOWN: dict[str, Any] = {
    "is_return": "false",
    "enabled_in_store": "true",
    "item_total": Decimal("99.50"),
    "region_id": "reg_1",
    "customer.groups.id": ("cusgroup_1", "cusgroup_2"),
    "since": "2026-05-01T00:00:00Z",
    "level": "7",
}

RULES: list[tuple[str, str, Any, bool]] = [
    # attribute, operator, value, whether it holds
    ("is_return", "eq", "false", True),
    ("is_return", "eq", False, True),
    ("is_return", "eq", "FALSE", True),
    ("is_return", "eq", "true", False),
    ("is_return", "ne", "true", True),
    ("is_return", "ne", "false", False),
    ("enabled_in_store", "eq", "true", True),
    ("enabled_in_store", "eq", "false", False),
    ("is_return", "in", ["true", "false"], True),
    ("is_return", "in", ["true"], False),
    ("is_return", "in", [], False),
    ("is_return", "in", "false", True),
    ("is_return", "eq", ["false"], True),
    ("is_return", "nin", ["true"], True),
    ("is_return", "nin", ["true", "false"], False),
    ("is_return", "nin", [], True),
    ("region_id", "eq", "REG_1", True),
    ("region_id", "gt", "reg_0", False),
    ("item_total", "eq", "99.5", True),
    ("item_total", "eq", 99.5, True),
    ("item_total", "ne", "99.5", False),
    ("item_total", "in", ["1", "99.500"], True),
    ("item_total", "eq", "much", False),
    ("item_total", "ne", "much", True),
    ("item_total", "gt", "99.5", False),
    ("item_total", "gte", "99.5", True),
    ("item_total", "gte", "100", False),
    ("item_total", "gt", 9, True),
    ("item_total", "lt", "100", True),
    ("item_total", "lt", "99.5", False),
    ("item_total", "lte", "99.5", True),
    ("item_total", "lte", "9", False),
    ("item_total", "gt", "NaN", False),
    ("item_total", "lt", "Infinity", False),
    ("item_total", "gt", "much", False),
    ("item_total", "gt", ["9"], True),
    ("item_total", "gt", ["9", "10"], False),
    ("item_total", "gt", None, False),
    ("level", "gt", "10", False),
    ("level", "lt", "10", True),
    ("since", "gt", "2026-04-30", True),
    ("since", "lt", "2026-04-30", False),
    ("since", "gte", "2026-05-01", True),
    ("since", "gt", "5", False),
    ("customer.groups.id", "eq", "cusgroup_2", True),
    ("customer.groups.id", "in", ["cusgroup_3", "cusgroup_1"], True),
    ("customer.groups.id", "in", ["cusgroup_3"], False),
    ("customer.groups.id", "ne", "cusgroup_2", False),
    ("customer.groups.id", "nin", ["cusgroup_3"], True),
    ("nobody", "eq", "undefined", False),
    ("nobody", "eq", "", False),
    ("nobody", "in", ["a"], False),
    ("nobody", "ne", "a", True),
    ("nobody", "nin", ["a"], True),
    ("nobody", "gt", "0", False),
    ("nobody", "lte", "0", False),
]


@pytest.mark.parametrize(("attribute", "operator", "value", "expected"), RULES)
def test_rules(attribute: str, operator: str, value: Any, expected: bool) -> None:
    assert holds(OptionRule(attribute, operator, value), KNOWN) is expected


def test_every_rule_has_to_hold() -> None:
    good, bad = OptionRule("is_return", "eq", "false"), OptionRule("level", "gt", "10")
    assert all_hold([], KNOWN)
    assert all_hold([good, good], KNOWN)
    assert not all_hold([good, bad], KNOWN)


@pytest.mark.parametrize(
    ("profile", "shipped", "expected"),
    [
        (None, None, True),
        (None, {"sp_1"}, True),
        (None, set(), True),
        ("sp_1", None, True),
        ("sp_1", {"sp_1", "sp_2"}, True),
        ("sp_1", {"sp_2"}, False),
        ("sp_1", {None}, False),
        ("sp_1", set(), False),
    ],
)
def test_profiles(profile: str | None, shipped: set[str | None] | None, expected: bool) -> None:
    assert fits_goods(profile, shipped) is expected
