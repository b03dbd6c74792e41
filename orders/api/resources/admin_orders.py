"""The resources of orders for staff, and of what belongs to orders."""

from kit.reads.resources import Resource
from orders.api.filters import (
    AdminOrderFilters,
    FulfillmentFilters,
    OrderChangeFilters,
    OrderItemFilters,
    OrderNoteFilters,
    RefundFilters,
)
from orders.api.serializers import GrantedRefundSerializer
from orders.api.serializers.admin_fulfillments import AdminFulfillmentSerializer
from orders.api.serializers.admin_orders import AdminOrderSerializer, OrderItemSerializer
from orders.api.serializers.changes.returns import OrderChangeSerializer
from orders.api.serializers.management import OrderNoteSerializer

_TOTALS = (
    "total,subtotal,tax_total,discount_total,discount_tax_total,original_total,original_subtotal,original_tax_total,"
    "item_total,item_subtotal,item_tax_total,item_discount_total,original_item_total,original_item_subtotal,"
    "original_item_tax_total,shipping_total,shipping_subtotal,shipping_tax_total,shipping_discount_total,"
    "original_shipping_total,original_shipping_subtotal,original_shipping_tax_total,gift_card_total,"
    "gift_card_tax_total,credit_line_total"
)
_LISTED = (
    "id,display_id,custom_display_id,status,version,email,customer_id,region_id,sales_channel_id,*summary,"
    f"currency_code,{_TOTALS},metadata,locale,created_at,updated_at,payment_status,fulfillment_status,"
    "*items,*items.tax_lines,*items.adjustments,*items.detail,*shipping_methods,*payment_collections"
)
ADMIN_ORDERS = Resource(
    name="order",
    plural="orders",
    serializer_class=AdminOrderSerializer,
    filterset_class=AdminOrderFilters,
    default_limit=15,
    always="status,version,payment_status,fulfillment_status,items.detail",
    default_order="display_id",
    defaults=(
        f"{_LISTED},credit_line_subtotal,credit_line_tax_total,*credit_lines,*shipping_address,*billing_address,"
        "*shipping_methods.tax_lines,*shipping_methods.adjustments,*shipping_methods.detail,"
        "*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds,"
        "*payment_collections.payments.refunds.refund_reason,*fulfillments"
    ),
    list_defaults=_LISTED,
)
ORDER_ITEMS = Resource(
    name="order_item",
    plural="order_items",
    serializer_class=OrderItemSerializer,
    filterset_class=OrderItemFilters,
    default_limit=50,
    defaults="*item,*item.tax_lines,*item.adjustments",
    default_order="created_at",
)
ADMIN_FULFILLMENTS = Resource(
    name="fulfillment",
    plural="fulfillments",
    serializer_class=AdminFulfillmentSerializer,
    filterset_class=FulfillmentFilters,
    default_limit=20,
    defaults="*delivery_address,*provider",
)
ORDER_NOTES = Resource(
    name="order_note",
    plural="order_notes",
    serializer_class=OrderNoteSerializer,
    filterset_class=OrderNoteFilters,
    default_limit=50,
    default_order="created_at",
)
ORDER_CHANGES = Resource(
    name="order_change",
    plural="order_changes",
    serializer_class=OrderChangeSerializer,
    filterset_class=OrderChangeFilters,
    default_limit=50,
    defaults="*actions,*order,*return_order",
    default_order="created_at",
)
REFUNDS = Resource(
    name="refund",
    plural="refunds",
    serializer_class=GrantedRefundSerializer,
    filterset_class=RefundFilters,
    default_limit=20,
    defaults="*refund_reason,*parts",
    default_order="-created_at",
)
