"""Stock locations and shipping as resources, for staff."""

from fulfillment.api.admin import filters, serializers
from fulfillment.api.serializers import FulfillmentProviderSerializer
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.filters.filtering import RecordFilters, ResourceFilterSet
from kit.reads.resources import Resource


def _resource(
    name: str,
    serializer_class: ResourceSerializerClass,
    filterset_class: type[ResourceFilterSet] = RecordFilters,
    defaults: str = "",
) -> Resource:
    return Resource(name, f"{name}s", serializer_class, filterset_class, default_limit=20, defaults=defaults)


STOCK_LOCATIONS = _resource(
    "stock_location", serializers.AdminStockLocationSerializer, filters.StockLocationFilters, "*address"
)
FULFILLMENT_SETS = _resource(
    "fulfillment_set",
    serializers.AdminFulfillmentSetSerializer,
    defaults="*location,*service_zones,*service_zones.geo_zones",
)
SERVICE_ZONES = _resource(
    "service_zone",
    serializers.AdminServiceZoneSerializer,
    defaults="*fulfillment_set,*geo_zones,*shipping_options",
)
FULFILLMENT_PROVIDERS = _resource(
    "fulfillment_provider", FulfillmentProviderSerializer, filters.FulfillmentProviderFilters
)
SHIPPING_PROFILES = _resource("shipping_profile", serializers.ShippingProfileSerializer, filters.ShippingProfileFilters)
SHIPPING_OPTION_TYPES = _resource(
    "shipping_option_type", serializers.AdminShippingOptionTypeSerializer, filters.ShippingOptionTypeFilters
)
SHIPPING_OPTIONS = _resource(
    "shipping_option",
    serializers.AdminShippingOptionSerializer,
    filters.AdminShippingOptionFilters,
    "*service_zone,*provider,*type,*shipping_profile,*rules,*prices",
)
SHIPPING_OPTION_RULES = _resource("shipping_option_rule", serializers.ShippingOptionRuleSerializer)
