"""Orders as staff see them."""

from rest_framework import serializers

from customers.api.serializers import CustomerSerializer
from kit.reads.declarations.computed import MoneyValue
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from orders.api.serializers.admin_fulfillments import AdminFulfillmentSerializer
from orders.api.serializers.items import OrderLineItemDetailSerializer, OrderLineItemSerializer
from orders.api.serializers.orders import OrderSerializer
from orders.api.serializers.refunds import GrantedRefundSerializer
from orders.models import Order, OrderLineItem, OrderTransaction
from orders.states import TransactionReference
from shop.api.serializers import RegionSerializer, SalesChannelSerializer


def _customer() -> ResourceSerializerClass:
    return CustomerSerializer


def _region() -> ResourceSerializerClass:
    return RegionSerializer


def _sales_channel() -> ResourceSerializerClass:
    return SalesChannelSerializer


def _fulfillment() -> ResourceSerializerClass:
    return AdminFulfillmentSerializer


def _transaction() -> ResourceSerializerClass:
    return OrderTransactionSerializer


def _refund() -> ResourceSerializerClass:
    return GrantedRefundSerializer


def _item() -> ResourceSerializerClass:
    return OrderLineItemSerializer


class OrderTransactionSerializer(ResourceSerializer):
    """Captured or refunded money of an order."""

    id = serializers.CharField()
    order_id = serializers.CharField()
    amount = MoneyValue(help_text="Negative for a refund.")
    currency_code = serializers.CharField(source="currency_id")
    reference = serializers.ChoiceField(choices=TransactionReference.values)
    reference_id = serializers.CharField(help_text="The id of the capture or refund.")
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()

    class Meta:
        model = OrderTransaction


class AdminOrderSerializer(OrderSerializer):
    """An order, for staff. Relations show what the caller may view."""

    locale = serializers.CharField(allow_null=True)
    no_notification = serializers.BooleanField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)
    customer = ToOne(_customer, key="customer_id", allow_null=True)
    region = ToOne(_region, key="region_id")
    sales_channel = ToOne(_sales_channel, key="sales_channel_id")
    fulfillments = ToMany(_fulfillment, key="order_id", order=("packed_at",), present_if=("fulfillment_count",))
    transactions = ToMany(_transaction, key="order_id", order=("created_at",))
    refunds = ToMany(_refund, key="order_id", order=("created_at",))

    class Meta:
        model = Order
        by_request = frozenset({"metadata", "no_notification", "gift_card_total", "gift_card_tax_total"})


class OrderItemSerializer(OrderLineItemDetailSerializer):
    """How many units of a line are fulfilled, shipped, delivered and returned, with the line."""

    item = ToOne(_item, key="id")

    class Meta:
        model = OrderLineItem
