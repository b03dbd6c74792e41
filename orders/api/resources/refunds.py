"""Refunds of orders, for REST and GraphQL."""

from kit.reads.resources import Resource
from orders.api.filters import RefundFilters
from orders.api.serializers import GrantedRefundSerializer

REFUNDS = Resource(
    name="refund",
    plural="refunds",
    serializer_class=GrantedRefundSerializer,
    filterset_class=RefundFilters,
    default_limit=20,
    defaults="*refund_reason,*parts",
    default_order="-created_at",
)
