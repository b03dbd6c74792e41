"""The stored rows that offers are made of, each kind by one statement for whatever number of them."""

from django.db.models import QuerySet

from catalog.models import InventoryLevel, Price
from commerce.kit.projection.keyed_rows import KeyedRows
from commerce.shop.models import Country
from commerce.shop.models.addresses import PLACE_TEXTS
from fulfillment.models import GeoZone, ShippingOption

_SET = "service_zone__fulfillment_set"
_ADDRESS = f"{_SET}__location__address__"
ADDRESS_RECORD = ("metadata", "created_at", "updated_at", "deleted_at")
OPTION = (
    *("id", "name", "price_type", "service_zone_id", "provider_id", "shipping_profile_id", "data", "price_set_id"),
    *("provider__is_enabled", "type_id", "type__label", "type__description", "type__code"),
    *(f"{_SET}_id", f"{_SET}__type", f"{_SET}__location_id"),
    *(f"{_ADDRESS}{name}" for name in ("id", *PLACE_TEXTS, *ADDRESS_RECORD)),
)
"""The columns of an option, with what it belongs to."""
RULE = ("rules__attribute", "rules__operator", "rules__value", "rules__deleted_at")
AREA = ("type", "country_id", "province_code", "city", "postal_expression")
PRICE = ("id", "price_set_id", "currency_id", "amount", "min_quantity", "max_quantity")
PRICE_RULE = ("rules__id", "rules__attribute", "rules__operator", "rules__value", "rules__deleted_at")


def address_column(name: str) -> str:
    """The column of OPTION with that part of the location's address."""
    return f"{_ADDRESS}{name}"


def _areas(sales_channel_id: str) -> QuerySet[GeoZone]:
    """Of sets that ship from a location of the channel."""
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


AREAS = KeyedRows(_areas, key="country_id", columns=("service_zone_id", *AREA), decoded=("postal_expression",))
OPTIONS = KeyedRows(
    ShippingOption.objects.not_deleted, key="service_zone_id", columns=(*OPTION, *RULE), decoded=("rules__value",)
)
LEVELS = KeyedRows(
    _levels,
    key="inventory_item_id",
    columns=("inventory_item_id", "location_id", "stocked_quantity", "reserved_quantity"),
)
COUNTRIES = KeyedRows(Country.objects.not_deleted, key="region_id", columns=("iso_2",))
PRICES = KeyedRows(
    lambda: Price.objects.not_deleted().filter(price_list=None), key="price_set_id", columns=(*PRICE, *PRICE_RULE)
)
"""Of every currency, in no price list."""
