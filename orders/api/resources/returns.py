"""The resources of returns, for REST and GraphQL."""

from kit.reads.resources import Resource
from orders.api.filters import ReturnFilters
from orders.api.serializers.returns import AdminReturnSerializer, ReturnSerializer

RETURNS = Resource(
    name="return",
    plural="returns",
    serializer_class=ReturnSerializer,
    filterset_class=ReturnFilters,
    default_limit=15,
    defaults="*items",
)
ADMIN_RETURNS = Resource(
    name="return",
    plural="returns",
    serializer_class=AdminReturnSerializer,
    filterset_class=ReturnFilters,
    default_limit=15,
    defaults="*items,*items.reason",
    list_defaults="*items",
)
