"""The service zones of fulfillment sets, with their geo zones and shipping options."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fulfillment.models import ServiceZone
from fulfillment.shop_file.geo_zones import GEO_ZONE, GeoZones, dumped_geo_zone, wanted_geo_zones
from fulfillment.shop_file.option_fields import NAME, SHIPPING_OPTION
from fulfillment.shop_file.shipping_options import ParsedOption, ShippingOptions
from kit.editing.children import Key
from kit.shop_file.named_children import NamedChildren
from kit.shop_file.problems import Problems
from kit.shop_file.values import Boolean, DateTime, Entry, Id, Metadata, Objects, Value
from kit.values.ids import new_id
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat

COLUMNS = ("name", "replaces_wider", "metadata")
ZONE_ID = Id(prefix="serzo")
SERVICE_ZONE: Mapping[str, Value] = {
    "id": ZONE_ID,
    "created_at": DateTime(),
    "name": NAME,
    "replaces_wider": Boolean(),
    "geo_zones": Objects(fields=GEO_ZONE),
    "shipping_options": Objects(fields=SHIPPING_OPTION, partial=True),
    "metadata": Metadata(),
}
"""The fields of a service zone."""


class ZoneRows(NamedChildren[ServiceZone]):
    """Service zones of fulfillment sets."""

    model = ServiceZone
    parent = "fulfillment_set_id"
    unique = ("name",)


@dataclass(frozen=True)
class ParsedZone:
    """A service zone of the file, checked; `row` is None for a new one."""

    entry: Entry
    row: ServiceZone | None
    pk: str
    geo_zones: Mapping[Key, JSONObject]
    options: Sequence[ParsedOption]


class ServiceZones:
    """The service zones of a batch of fulfillment sets. Those that a set's list does not name stay as they are."""

    def __init__(self, sets: Collection[str], entries: Sequence[Entry], problems: Problems) -> None:
        """`sets`: ids of those that are stored; `entries`: all objects of zones."""
        self._problems = problems
        self._rows = ZoneRows(sets, entries)
        options = [option for entry in entries for option in entry.given.get("shipping_options", ())]
        zones = [row.pk for row in self._rows.all()]
        self._geo_zones = GeoZones(zones)
        self._options = ShippingOptions(zones, options, problems)

    def parse(self, of_set: str, zones: Sequence[Entry]) -> list[ParsedZone]:
        """The objects of the set's zones, checked. Reports their problems."""
        return [self._parse(of_set, zone) for zone in zones]

    def put(self, of_set: str, parsed: ParsedZone) -> bool:
        """Add the zone to the set, or update it. Returns whether that changes anything."""
        given = parsed.entry.given
        attributes: dict[str, object] = {name: given[name] for name in COLUMNS if name in given}
        if parsed.row is None and "created_at" in given:
            attributes["created_at"] = given["created_at"]
        changes = self._rows.put(of_set, (parsed.pk,), attributes)
        if "geo_zones" in given:
            changes |= self._geo_zones.replace(parsed.pk, parsed.geo_zones)
        return any([changes, *(self._options.put(parsed.pk, option) for option in parsed.options)])

    def write(self) -> None:
        """Write all changes."""
        self._rows.write()
        self._geo_zones.write()
        self._options.write()

    def dumped(self, of_set: str, regions: Mapping[str, str]) -> Iterator[JSONObject]:
        """The set's zones as objects of the file; `regions`: names by id."""
        for row in self._rows.of(of_set).values():
            yield {
                "id": row.pk,
                "name": row.name,
                "replaces_wider": row.replaces_wider,
                "geo_zones": [dumped_geo_zone(zone) for zone in self._geo_zones.of(row.pk).values()],
                "shipping_options": list(self._options.dumped(row.pk, regions)),
                "metadata": row.metadata,
                "created_at": isoformat(row.created_at),
            }

    def _parse(self, of_set: str, zone: Entry) -> ParsedZone:
        row = self._rows.match(of_set, zone, self._problems)
        pk = row.pk if row else zone.given.get("id") or new_id(ZONE_ID.prefix)
        return ParsedZone(
            zone,
            row,
            pk,
            wanted_geo_zones(zone.given.get("geo_zones", ()), self._problems),
            [self._options.parse(pk, option) for option in zone.given.get("shipping_options", ())],
        )
