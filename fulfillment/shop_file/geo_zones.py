"""The places that a service zone covers, in the shop file."""

import json
from collections.abc import Iterable, Mapping

from django.core.exceptions import ValidationError

from fulfillment.editing.geo_zone_details import missing_fields
from fulfillment.models import GeoZone
from fulfillment.states import GeoZoneType
from kit.editing.children import Children, Key
from kit.errors import InvalidData
from kit.shop_file.problems import Problems
from kit.shop_file.values import Choice, Entry, InvalidValue, Metadata, Text, Value
from kit.values import places
from kit.values.json import JSONObject
from shop.shop_file.places import CountryCode


class PostalExpression(Metadata):
    """Postal codes, as the column takes them."""

    def parse(self, raw: object) -> dict[str, object]:
        expression = super().parse(raw)
        try:
            GeoZone._meta.get_field("postal_expression").run_validators(expression)
        except ValidationError as refusal:
            raise InvalidValue(f"is invalid: {refusal.messages[0]}") from refusal
        return expression


GEO_ZONE: Mapping[str, Value] = {
    "type": Choice(choices=tuple(GeoZoneType.values)),
    "country_code": CountryCode(required=True),
    "province_code": Text(nullable=True),
    "city": Text(nullable=True),
    "postal_expression": PostalExpression(),
}
"""The fields of a geo zone."""


class GeoZones(Children[GeoZone]):
    """Geo zones of service zones. All fields of one are its key, the postal expression as JSON text."""

    model = GeoZone
    parent = "service_zone_id"
    key = ("type", "country_id", "province_code", "city")

    def key_of(self, row: GeoZone) -> Key:
        return (*super().key_of(row), json.dumps(row.postal_expression, sort_keys=True))


def wanted_geo_zones(zones: Iterable[Entry], problems: Problems) -> dict[Key, JSONObject]:
    """The geo zones by key, as GeoZones takes them. Reports missing fields and unknown provinces."""
    wanted: dict[Key, JSONObject] = {}
    for zone in zones:
        kind = zone.given.get("type", GeoZoneType.COUNTRY.value)
        expression = zone.given.get("postal_expression")
        for field in missing_fields({**zone.given, "type": kind}):
            problems.add(f"{zone.path}.{field}", f"is required for the type {kind}")
        key = (
            kind,
            zone.given["country_code"],
            _province(zone, problems),
            zone.given.get("city"),
            json.dumps(expression, sort_keys=True),
        )
        if key in wanted:
            problems.add(zone.path, "is repeated")
        wanted[key] = {"postal_expression": expression}
    return wanted


def dumped_geo_zone(zone: GeoZone) -> JSONObject:
    """The geo zone as an object of the file."""
    return {
        "type": zone.type,
        "country_code": zone.country_id,
        "province_code": zone.province_code,
        "city": zone.city,
        "postal_expression": zone.postal_expression,
    }


def _province(zone: Entry, problems: Problems) -> str | None:
    name, country = zone.given.get("province_code"), zone.given["country_code"]
    try:
        return places.province(name, country_code=country) if name else None
    except InvalidData:
        problems.add(f"{zone.path}.province_code", f"'{name}' is not a province of '{country}' in ISO 3166-2")
        return None
