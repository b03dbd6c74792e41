"""The shop's resources, shared by REST and GraphQL."""

from kit.reads.resources import Resource
from shop.api import filters, serializers

REGIONS = Resource(
    name="region",
    plural="regions",
    serializer_class=serializers.RegionSerializer,
    filterset_class=filters.RegionFilters,
    default_limit=50,
    defaults="*countries",
)
CURRENCIES = Resource(
    name="currency",
    plural="currencies",
    serializer_class=serializers.CurrencySerializer,
    filterset_class=filters.CurrencyFilters,
    default_limit=50,
    key_is_lower_case=True,
)
