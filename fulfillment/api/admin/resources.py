"""Stock locations and shipping as resources, for staff."""

from fulfillment.api.admin import filters, serializers
from fulfillment.api.serializers import FulfillmentProviderSerializer
from kit.reads.resources import Resource

STOCK_LOCATIONS = Resource(
    name="stock_location",
    plural="stock_locations",
    serializer_class=serializers.AdminStockLocationSerializer,
    filterset_class=filters.StockLocationFilters,
    default_limit=20,
    defaults="*address",
)
FULFILLMENT_SETS = Resource(
    name="fulfillment_set",
    plural="fulfillment_sets",
    serializer_class=serializers.AdminFulfillmentSetSerializer,
    filterset_class=filters.NoFilters,
    default_limit=20,
    defaults="*location,*service_zones,*service_zones.geo_zones",
)
SERVICE_ZONES = Resource(
    name="service_zone",
    plural="service_zones",
    serializer_class=serializers.AdminServiceZoneSerializer,
    filterset_class=filters.NoFilters,
    default_limit=20,
    defaults="*fulfillment_set,*geo_zones,*shipping_options",
)
FULFILLMENT_PROVIDERS = Resource(
    name="fulfillment_provider",
    plural="fulfillment_providers",
    serializer_class=FulfillmentProviderSerializer,
    filterset_class=filters.FulfillmentProviderFilters,
    default_limit=20,
)
SHIPPING_PROFILES = Resource(
    name="shipping_profile",
    plural="shipping_profiles",
    serializer_class=serializers.ShippingProfileSerializer,
    filterset_class=filters.ShippingProfileFilters,
    default_limit=20,
)
SHIPPING_OPTION_TYPES = Resource(
    name="shipping_option_type",
    plural="shipping_option_types",
    serializer_class=serializers.AdminShippingOptionTypeSerializer,
    filterset_class=filters.ShippingOptionTypeFilters,
    default_limit=20,
)
SHIPPING_OPTIONS = Resource(
    name="shipping_option",
    plural="shipping_options",
    serializer_class=serializers.AdminShippingOptionSerializer,
    filterset_class=filters.AdminShippingOptionFilters,
    default_limit=20,
    defaults="*service_zone,*provider,*type,*shipping_profile,*rules,*prices",
)
