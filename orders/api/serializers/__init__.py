"""The fields of orders, refunds and return reasons in answers."""

from orders.api.serializers.admin_orders import ORDER_OF_COLLECTION
from orders.api.serializers.customer_orders import ORDERS_OF_CUSTOMER
from orders.api.serializers.orders import OrderAddressSerializer, OrderCustomerSerializer, OrderSerializer
from orders.api.serializers.refunds import GrantedRefundSerializer, OrderRefundInput, RefundOfOrderInput
from orders.api.serializers.return_reasons import (
    AdminReturnReasonSerializer,
    ReturnReasonSerializer,
)

__all__ = [
    "ORDERS_OF_CUSTOMER",
    "ORDER_OF_COLLECTION",
    "AdminReturnReasonSerializer",
    "GrantedRefundSerializer",
    "OrderAddressSerializer",
    "OrderCustomerSerializer",
    "OrderRefundInput",
    "OrderSerializer",
    "RefundOfOrderInput",
    "ReturnReasonSerializer",
]
