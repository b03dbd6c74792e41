"""The resource of API keys, shared by REST and GraphQL."""

from dataclasses import replace

from apikeys.api.filters import ApiKeyFilters
from apikeys.api.serializers import ApiKeySerializer
from kit.reads.resources import Resource

API_KEYS = Resource(
    name="api_key",
    plural="api_keys",
    serializer_class=ApiKeySerializer,
    filterset_class=ApiKeyFilters,
    default_limit=20,
    defaults="*sales_channels",
)
CREATED_API_KEY = replace(API_KEYS, defaults="")
