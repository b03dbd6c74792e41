"""The resource of changes of orders, for REST and GraphQL."""

from kit.reads.resources import Resource
from orders.api.filters import OrderChangeFilters
from orders.api.serializers.order_changes import OrderChangeSerializer

ORDER_CHANGES = Resource(
    name="order_change",
    plural="order_changes",
    serializer_class=OrderChangeSerializer,
    filterset_class=OrderChangeFilters,
    default_limit=50,
    defaults="*actions",
    default_order="created_at",
)
