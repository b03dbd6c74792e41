"""Which shipping options fit a cart: by its destination, its goods and the options' rules. No database.

Texts are compared in any letter case. Why: docs/decisions/shipping.md#only-options-that-fit-the-cart-are-offered,
docs/decisions/shipping.md#without-an-address-the-regions-countries-count.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from operator import ge, gt, le, lt
from typing import Any, NamedTuple

from carts.pricing.destination import Destination
from catalog.prices.price_rules import Attribute, Attributes
from fulfillment.postal_codes import matches
from fulfillment.states import GeoZoneType, OptionRuleOperator
from kit.values.json import JSON
from kit.values.timestamps import parse_moment

_BY_NARROWNESS = (GeoZoneType.COUNTRY, GeoZoneType.PROVINCE, GeoZoneType.CITY, GeoZoneType.ZIP)


class Area(NamedTuple):
    """A geo zone: a country, or a part of it, by its type. province_code, city: None for any."""

    type: str
    country_code: str
    province_code: str | None = None
    city: str | None = None
    postal_expression: JSON = None


class ServedZone(NamedTuple):
    """A service zone with one of its areas. replaces_wider: within its fulfillment set, where both cover a place."""

    zone_id: str
    fulfillment_set_id: str
    replaces_wider: bool
    area: Area


class OptionRule(NamedTuple):
    """A condition of a shipping option. value: a text or a list of texts."""

    attribute: str
    operator: str
    value: JSON


def is_served(area: Area, destination: Destination, region_countries: Collection[str]) -> bool:
    """Whether the destination is in the area; without a country, whether the area is in one of the region's countries.

    The destination must have the field that the area's type needs; other fields match if either side lacks them.
    """
    if not destination.country_code:
        return area.country_code in region_countries
    if not _is_same(area.country_code, destination.country_code):
        return False
    province = _agrees(area.province_code, destination.province)
    match area.type:
        case GeoZoneType.COUNTRY:
            return True
        case GeoZoneType.PROVINCE:
            return bool(destination.province) and province
        case GeoZoneType.CITY:
            return bool(destination.city) and province and _agrees(area.city, destination.city)
        case _:
            return (
                matches(area.postal_expression, destination.postal_code or "", area.country_code)
                and province
                and _agrees(area.city, destination.city)
            )


def without_replaced(zones: Sequence[ServedZone]) -> set[str]:
    """The ids of the zones that serve a place, all given with the areas that cover it, less those that are replaced.

    A zone that replaces wider ones leaves those of its fulfillment set that have an area as narrow as its own, or
    narrower: postal codes, then a city, a province, a country.
    """
    narrowest: dict[str, int] = {}
    for zone in zones:
        if zone.replaces_wider:
            narrowest[zone.fulfillment_set_id] = max(narrowest.get(zone.fulfillment_set_id, 0), _narrowness(zone.area))
    return {zone.zone_id for zone in zones if _narrowness(zone.area) >= narrowest.get(zone.fulfillment_set_id, 0)}


def fits_goods(profile_id: str | None, shipped_profiles: Collection[str | None] | None) -> bool:
    """Whether an option with this profile ships goods of these profiles, or of any if they are None (an empty cart).

    Without a profile it ships all goods.
    """
    return profile_id is None or shipped_profiles is None or profile_id in shipped_profiles


def all_hold(rules: Sequence[OptionRule], attributes: Attributes) -> bool:
    """Whether every rule matches; True without rules."""
    return all(holds(rule, attributes) for rule in rules)


def holds(rule: OptionRule, attributes: Attributes) -> bool:
    """Whether the rule matches. Numbers are compared as numbers, timestamps as timestamps, everything else as text.

    For a missing attribute only `ne` and `nin` match. Of several texts, such as the customer's groups, one must match.
    """
    known = attributes.get(rule.attribute)
    several: Sequence[Attribute] = known if isinstance(known, tuple) else () if known is None else (known,)
    wanted = rule.value if isinstance(rule.value, list) else [rule.value]
    match rule.operator:
        case OptionRuleOperator.IN | OptionRuleOperator.EQUAL:
            return any(_is_equal(one, value) for one in several for value in wanted)
        case OptionRuleOperator.NOT_IN | OptionRuleOperator.NOT_EQUAL:
            return not any(_is_equal(one, value) for one in several for value in wanted)
    compares = _COMPARISONS[rule.operator]
    return len(wanted) == 1 and any(_compare(one, wanted[0], compares) for one in several)


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    OptionRuleOperator.GREATER: gt,
    OptionRuleOperator.GREATER_OR_EQUAL: ge,
    OptionRuleOperator.LESS: lt,
    OptionRuleOperator.LESS_OR_EQUAL: le,
}


def _narrowness(area: Area) -> int:
    return _BY_NARROWNESS.index(area.type)


def _agrees(wanted: str | None, known: str | None) -> bool:
    return not wanted or not known or _is_same(wanted, known)


def _is_same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


def _is_equal(known: Attribute, value: JSON) -> bool:
    if isinstance(known, int | Decimal):
        return _number(value) == known
    return _is_same(str(known), _text(value))


def _compare(known: Attribute, value: JSON, compares: Callable[[Any, Any], bool]) -> bool:
    for one, other in ((_number(known), _number(value)), (_moment(known), _moment(value))):
        if one is not None and other is not None:
            return compares(one, other)
    return False


def _number(value: object) -> Decimal | None:
    try:
        number = Decimal(_text(value))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _moment(value: object) -> datetime | None:
    return parse_moment(_text(value))


def _text(value: object) -> str:
    """The value as the attributes have it: booleans in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)
