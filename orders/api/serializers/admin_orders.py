"""Orders as staff see them."""

import orjson
from django.db.models import F
from rest_framework import serializers

from catalog.api.serializers import AdminProductVariantSerializer
from catalog.api.serializers.admin_products import AdminProductSerializer
from customers.api.serializers import AdminCustomerSerializer
from kit.reads.declarations.computed import BatchField, MoneyValue, RowField, RowObject, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from orders.api.serializers.admin_fulfillments import AdminFulfillmentSerializer
from orders.api.serializers.bought_cards import GIFT_CARDS_OF_ORDER
from orders.api.serializers.invoices import AdminInvoiceSerializer
from orders.api.serializers.items import (
    OrderAdjustmentSerializer,
    OrderLineItemDetailSerializer,
    OrderLineItemSerializer,
    OrderTaxLineSerializer,
)
from orders.api.serializers.orders import OrderSerializer
from orders.api.serializers.refunds import GrantedRefundSerializer
from orders.api.serializers.returns import AdminReturnSerializer
from orders.common.open_changes import open_changes
from orders.models import Order, OrderLineItem, OrderTransaction
from orders.states import TransactionReference
from shop.api.serializers import AdminRegionSerializer, SalesChannelSerializer


def _customer() -> ResourceSerializerClass:
    return AdminCustomerSerializer


def _region() -> ResourceSerializerClass:
    return AdminRegionSerializer


def _sales_channel() -> ResourceSerializerClass:
    return SalesChannelSerializer


def _fulfillment() -> ResourceSerializerClass:
    return AdminFulfillmentSerializer


def _transaction() -> ResourceSerializerClass:
    return OrderTransactionSerializer


def _refund() -> ResourceSerializerClass:
    return GrantedRefundSerializer


def _item() -> ResourceSerializerClass:
    return AdminOrderLineItemSerializer


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


class AdminOrderLineItemSerializer(OrderLineItemSerializer):
    """A line of an order, for staff.

    `variant` and `product` are those of today's catalogue, whether they are sold or not; null once they are deleted.
    """

    tax_lines = ToMany(lambda: OrderTaxLineSerializer, key="item_id", inverse="item", along=True)
    adjustments = ToMany(
        lambda: OrderAdjustmentSerializer,
        key="item_id",
        inverse="item",
        present_if=OrderLineItemSerializer.DISCOUNTED,
        along=True,
    )
    detail = RowObject(lambda: OrderLineItemDetailSerializer, along=True)
    variant = ToOne(lambda: AdminProductVariantSerializer, key="variant_id", allow_null=True)
    product = ToOne(lambda: AdminProductSerializer, key="product_id", allow_null=True)


class AdminOrderSerializer(OrderSerializer):
    """An order, for staff. Relations show what the caller may view."""

    locale = serializers.CharField(allow_null=True)
    no_notification = serializers.BooleanField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)
    refundable_total = SqlField(
        MoneyValue(),
        expression=F("item_total") - F("requested_return_total"),
        help_text="What the units are worth that can still be returned.",
    )
    order_change = BatchField(
        serializers.DictField(
            allow_null=True,
            help_text="The open change of the order, the latest begun one: an edit, or a return that staff prepare or "
            "receive. Otherwise null.",
        ),
        columns=("id",),
        load=open_changes,
    )
    items = ToMany(_item, key="order_id", order=("created_at",))
    returns = ToMany(lambda: AdminReturnSerializer, key="order_id", order=("display_id",))
    gift_cards = GIFT_CARDS_OF_ORDER
    customer = ToOne(_customer, key="customer_id", allow_null=True)
    region = ToOne(_region, key="region_id")
    sales_channel = ToOne(_sales_channel, key="sales_channel_id")
    fulfillments = ToMany(_fulfillment, key="order_id", order=("packed_at",), present_if=("fulfillment_count",))
    transactions = ToMany(_transaction, key="order_id", order=("created_at",))
    refunds = ToMany(_refund, key="order_id", order=("created_at",))
    invoices = ToMany(lambda: AdminInvoiceSerializer, key="order_id", order=("issued_at",), present_if=("invoicing",))

    class Meta:
        model = Order
        by_request = frozenset(
            {
                "metadata",
                "no_notification",
                "gift_card_total",
                "gift_card_tax_total",
                "refundable_total",
                "order_change",
            }
        )


ORDER_OF_COLLECTION = ToOne(lambda: AdminOrderSerializer, key="order_id", allow_null=True)
"""The relation that the payment collection's serializer for staff gets."""


def _history(version: int) -> str:
    return orjson.dumps({"version": {"from": 1, "to": version}}).decode()


class OrderItemSerializer(OrderLineItemDetailSerializer):
    """How many units of a line are fulfilled, shipped, delivered and returned, with the line."""

    item = ToOne(_item, key="id")
    history = RowField(
        serializers.DictField(),
        columns=("order__version",),
        compute=_history,
        help_text="The versions of the order that have the line: all of them.",
    )

    class Meta:
        model = OrderLineItem
