"""The stored rows of shipping options, each kind read by one statement."""

from collections.abc import Collection
from typing import NamedTuple, cast

from django.db.models import QuerySet

from catalog.models import InventoryLevel, Price
from fulfillment.models import GeoZone, ShippingOption
from fulfillment.options.eligibility import OptionRule
from kit.reads.sql.keyed_rows import KeyedRows
from shop.models import Country
from shop.models.addresses import PLACE_TEXTS, PlaceTexts


class OptionRow(NamedTuple):
    """An option, with the columns of what it belongs to. data: the database's text."""

    id: str
    name: str
    price_type: str
    service_zone_id: str
    provider_id: str | None
    shipping_profile_id: str | None
    data: str | None
    price_set_id: str | None
    provider_is_enabled: bool | None
    type_id: str | None
    type_label: str | None
    type_description: str | None
    type_code: str | None
    fulfillment_set_id: str
    fulfillment_set_type: str
    location_id: str | None
    address: "LocationAddress"


class LocationAddress(PlaceTexts):
    """The address of a stock location; all is None for one without. metadata and the dates: the database's texts."""

    id: str | None
    metadata: str | None
    created_at: str | None
    updated_at: str | None
    deleted_at: str | None


class PriceRow(NamedTuple):
    """A price with one of its rules, if it has any, by ORM paths. amount: in 1/10,000."""

    id: str
    price_set_id: str
    currency_id: str
    amount: int
    min_quantity: int | None
    max_quantity: int | None
    rules__id: str | None
    rules__attribute: str
    rules__operator: str
    rules__value: str
    rules__deleted_at: str | None


class StockRow(NamedTuple):
    """An inventory level."""

    inventory_item_id: str
    location_id: str
    stocked_quantity: int
    reserved_quantity: int

    @property
    def available(self) -> int:
        return self.stocked_quantity - self.reserved_quantity


_SET = "service_zone__fulfillment_set"
_PATHS = {
    "provider_is_enabled": "provider__is_enabled",
    "type_label": "type__label",
    "type_description": "type__description",
    "type_code": "type__code",
    "fulfillment_set_id": f"{_SET}_id",
    "fulfillment_set_type": f"{_SET}__type",
    "location_id": f"{_SET}__location_id",
}
_OPTION = [_PATHS.get(name, name) for name in OptionRow._fields[:-1]]
_OWN_ADDRESS = ("id", *PLACE_TEXTS, "metadata", "created_at", "updated_at", "deleted_at")
_ADDRESS = [f"{_SET}__location__address__{name}" for name in _OWN_ADDRESS]
_RULE = ("rules__attribute", "rules__operator", "rules__value", "rules__deleted_at")
AREA = ("type", "country_id", "province_code", "city", "postal_expression")


def _areas(sales_channel_id: str) -> QuerySet[GeoZone]:
    """The geo zones of sets whose location belongs to the channel."""
    shipping = "service_zone__fulfillment_set"
    return GeoZone.objects.not_deleted().filter(
        **{
            "service_zone__deleted_at": None,
            f"{shipping}__deleted_at": None,
            f"{shipping}__location__deleted_at": None,
            f"{shipping}__location__sales_channels": sales_channel_id,
        }
    )


def _levels(sales_channel_id: str) -> QuerySet[InventoryLevel]:
    return InventoryLevel.objects.not_deleted().filter(
        location__deleted_at=None, location__sales_channels=sales_channel_id, inventory_item__deleted_at=None
    )


_ZONE = ("service_zone_id", "service_zone__fulfillment_set_id", "service_zone__replaces_wider")
AREAS = KeyedRows(_areas, key="country_id", columns=(*_ZONE, *AREA), decoded=("postal_expression",))
_COLUMNS = (*_OPTION, *_ADDRESS, *_RULE)
_OF_ZONES, _BY_ID = (
    KeyedRows(ShippingOption.objects.not_deleted, key=key, columns=_COLUMNS, decoded=("rules__value",))
    for key in ("service_zone_id", "id")
)
LEVELS = KeyedRows(_levels, key="inventory_item_id", row=StockRow)
COUNTRIES = KeyedRows(Country.objects.not_deleted, key="region_id", columns=("iso_2",))
PRICES = KeyedRows(
    lambda: Price.objects.not_deleted().filter(price_list=None),
    key="price_set_id",
    row=PriceRow,
)
"""In all currencies, outside price lists."""


def read_options(
    zones: Collection[str], *, among: Collection[str] | None = None
) -> list[tuple[OptionRow, list[OptionRule]]]:
    """The options of the zones, with their rules. One statement; an option has a row for each rule, or one.

    among: the ids of the options that the caller looks for; all others are left out.
    """
    found: dict[str, tuple[OptionRow, list[OptionRule]]] = {}
    own, address = len(_OPTION), len(_OPTION) + len(_ADDRESS)
    rows = _OF_ZONES.read(sorted(zones)) if among is None else _BY_ID.read(sorted(among))
    for row in rows:
        option_id, (attribute, operator, value, deleted_at) = row[0], row[address:]
        if option_id not in found:
            place = cast("LocationAddress", dict(zip(_OWN_ADDRESS, row[own:address], strict=True)))
            found[option_id] = (OptionRow._make((*row[:own], place)), [])
        if attribute is not None and deleted_at is None:
            found[option_id][1].append(OptionRule(attribute, operator, value))
    return [(option, rules) for option, rules in found.values() if option.service_zone_id in zones]
