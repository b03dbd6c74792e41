"""Which ways of shipping fit a cart: the rules as one table."""

from decimal import Decimal
from typing import Any

import pytest

from carts.pricing.destination import Destination
from fulfillment.options.eligibility import Area, OptionRule, all_hold, fits_goods, holds, is_served

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
