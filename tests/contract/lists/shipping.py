"""Lists of stock locations and shipping, for staff."""

from fulfillment.api.admin.serializers import (
    AdminFulfillmentSetSerializer,
    AdminServiceZoneSerializer,
    AdminShippingOptionSerializer,
    AdminShippingOptionTypeSerializer,
    AdminStockLocationSerializer,
    ShippingProfileSerializer,
)
from fulfillment.api.serializers import FulfillmentProviderSerializer, StockLocationAddressSerializer
from fulfillment.models import ShippingOption, ShippingOptionType
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.values.timestamps import now
from shop.models import FulfillmentProvider, StockLocation, StockLocationAddress
from tests.contract.lists.contract import DATED, ID_AND_DATES, RECORD, Contract, Filtering, Rows, days_apart, named
from tests.factories import fulfillment
from tests.factories.fulfillment import ProfileFactory
from tests.factories.inventory import StockLocationFactory
from tests.factories.shop import SalesChannelFactory

CONTRACTS: dict[ResourceSerializerClass, Contract] = {
    AdminStockLocationSerializer: Contract(
        f"id name address_id address sales_channels fulfillment_providers fulfillment_sets {RECORD}",
        "address sales_channels fulfillment_providers fulfillment_sets",
        {"address": StockLocationAddressSerializer},
    ),
    StockLocationAddressSerializer: Contract(
        f"id company address_1 address_2 city country_code province postal_code phone {RECORD}"
    ),
    AdminFulfillmentSetSerializer: Contract(f"id name type location service_zones {RECORD}", "location service_zones"),
    AdminServiceZoneSerializer: Contract(
        f"id name fulfillment_set_id replaces_wider fulfillment_set geo_zones shipping_options {RECORD}",
        "fulfillment_set geo_zones shipping_options",
        {"fulfillment_set": AdminFulfillmentSetSerializer},
    ),
    AdminShippingOptionSerializer: Contract(
        "id name price_type service_zone_id provider_id shipping_option_type_id shipping_profile_id data service_zone "
        f"provider type shipping_profile rules prices {RECORD}",
        "service_zone provider type shipping_profile rules prices",
        {
            "service_zone": AdminServiceZoneSerializer,
            "provider": FulfillmentProviderSerializer,
            "type": AdminShippingOptionTypeSerializer,
            "shipping_profile": ShippingProfileSerializer,
        },
    ),
    AdminShippingOptionTypeSerializer: Contract(
        f"shipping_option_id id label description code {DATED} deleted_at", "shipping_option_id"
    ),
    ShippingProfileSerializer: Contract(f"id name type {RECORD}"),
}


def _options() -> Rows:
    location = StockLocationFactory()
    zone, kind = fulfillment.zone(location=location), ShippingOptionType.objects.create(label="Fast", code="fast")
    rules = (("is_return", "eq", "true"), ("enabled_in_store", "eq", "false"))
    profile = ProfileFactory()
    FulfillmentProvider.objects.create(id="carrier_carrier")

    def one() -> ShippingOption:
        return fulfillment.option(
            name="Oak", of=zone, rules=rules, shipping_profile=profile, provider_id="carrier_carrier", type=kind
        )

    made = days_apart(
        one=one,
        other=lambda: fulfillment.option(name="Pine", rules=(("is_return", "eq", "false"),)),
        gone=lambda: fulfillment.option(name="Elm", deleted_at=now()),
    )
    return {**made, "zone": zone, "location": location, "profile": profile, "type": kind}


def _locations() -> Rows:
    channel, address = SalesChannelFactory(), StockLocationAddress.objects.create(city="Ulm")

    def one() -> StockLocation:
        location = StockLocationFactory(name="Oak", address=address)
        location.sales_channels.set([channel])
        return location

    made = days_apart(
        one=one,
        other=lambda: StockLocationFactory(name="Pine"),
        gone=lambda: StockLocationFactory(name="Elm", deleted_at=now()),
    )
    return {**made, "channel": channel, "address": address}


def _providers() -> Rows:
    one = FulfillmentProvider.objects.create(id="oak_oak", is_enabled=False)
    location = StockLocationFactory()
    location.fulfillment_providers.set([one])
    return {"one": one, "other": FulfillmentProvider.objects.create(id="pine_pine"), "location": location}


def _type(**columns: object) -> ShippingOptionType:
    return ShippingOptionType.objects.create(**{"label": "Pine", "code": "pine", **columns})


LISTS = {
    "/admin/stock-locations": Filtering(
        _locations,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "name": "name=Oak",
            "address_id": "address_id={address}",
            "sales_channel_id": "sales_channel_id={channel}",
        },
    ),
    "/admin/fulfillment-providers": Filtering(
        _providers,
        {
            "id": "id={one}",
            "q": "q=oak",
            "is_enabled": "is_enabled=false",
            "stock_location_id": "stock_location_id={location}",
        },
    ),
    "/admin/shipping-options": Filtering(
        _options,
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "service_zone_id": "service_zone_id={zone}",
            "stock_location_id": "stock_location_id={location}",
            "shipping_profile_id": "shipping_profile_id={profile}",
            "provider_id": "provider_id=carrier_carrier",
            "shipping_option_type_id": "shipping_option_type_id={type}",
            "is_return": "is_return=true",
            "admin_only": "admin_only=true",
        },
    ),
    "/admin/shipping-option-types": Filtering(
        named(_type, "label", code="oak", description="Wood"),
        {
            **ID_AND_DATES,
            "q": "q=oak",
            "label": "label=Oak",
            "code": "code=oak",
            "description": "description=Wood",
        },
    ),
    "/admin/shipping-profiles": Filtering(
        named(ProfileFactory, "name", type="wood"),
        {**ID_AND_DATES, "q": "q=oak", "name": "name=Oak", "type": "type=wood"},
    ),
}
