"""Orders, their addresses and their summary."""

from typing import Any

from django.db.models import Case, F, OuterRef, Subquery, Sum, Value, When
from django.db.models.functions import Coalesce
from rest_framework import serializers

from carts.api.serializers.totals import TotalsSerializer
from customers.models import Customer
from giftcards.spending.cart_credit import PAID_BY_CARD
from kit.reads.declarations.computed import ConstantField, MoneyValue, RowField, RowObject, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, DeletableSerializer, MetadataSerializer
from kit.values.money import MoneyField
from orders.api.serializers.charges import (
    OrderCreditLineSerializer,
    OrderPromotionSerializer,
    OrderShippingMethodSerializer,
)
from orders.api.serializers.fulfillments import FulfillmentSerializer
from orders.api.serializers.invoices import InvoiceSerializer
from orders.api.serializers.items import OrderLineItemSerializer
from orders.api.serializers.payments import OrderPaymentCollectionSerializer
from orders.common.summary import BALANCE_COLUMNS, Balance, pending_difference
from orders.models import Order, OrderAddress, OrderCreditLine
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus
from shop.api.serializers import PlaceSerializer


def _item() -> ResourceSerializerClass:
    return OrderLineItemSerializer


def _address() -> ResourceSerializerClass:
    return OrderAddressSerializer


def _shipping_method() -> ResourceSerializerClass:
    return OrderShippingMethodSerializer


def _credit_line() -> ResourceSerializerClass:
    return OrderCreditLineSerializer


def _promotion() -> ResourceSerializerClass:
    return OrderPromotionSerializer


def _collection() -> ResourceSerializerClass:
    return OrderPaymentCollectionSerializer


def _fulfillment() -> ResourceSerializerClass:
    return FulfillmentSerializer


def _invoice() -> ResourceSerializerClass:
    return InvoiceSerializer


def _customer() -> ResourceSerializerClass:
    return OrderCustomerSerializer


def _cart() -> ResourceSerializerClass:
    return OrderCartSerializer


def _summary() -> ResourceSerializerClass:
    return OrderSummarySerializer


def _pending_difference(*columns: Any) -> int:
    return pending_difference(Balance(*columns))


class OrderAddressSerializer(PlaceSerializer, MetadataSerializer, DatedSerializer, DeletableSerializer):
    """The shipping or billing address of an order."""

    id = serializers.CharField()
    customer_id = serializers.CharField(allow_null=True)
    company = serializers.CharField(allow_null=True)
    first_name = serializers.CharField(allow_null=True)
    last_name = serializers.CharField(allow_null=True)

    class Meta:
        model = OrderAddress


class OrderCustomerSerializer(ResourceSerializer):
    """The customer of an order."""

    id = serializers.CharField()
    email = serializers.CharField(allow_null=True)

    class Meta:
        model = Customer


class OrderCartSerializer(ResourceSerializer):
    """The cart that became an order."""

    id = serializers.CharField(source="cart_id")


class OrderSummarySerializer(ResourceSerializer):
    """The value of an order, and what is still owed."""

    paid_total = MoneyValue(help_text="Captured by payments.")
    refunded_total = SqlField(
        MoneyValue(),
        expression=F("refunded_total") + F("credit_refunded_total"),
        help_text="Refunded to payments, gift cards and store credit.",
    )
    accounting_total = MoneyValue(source="total", help_text="The same as current_order_total.")
    credit_line_total = MoneyValue(help_text="Paid by gift cards and store credit.")
    transaction_total = SqlField(
        MoneyValue(),
        expression=F("paid_total") - F("refunded_total") - F("credit_refunded_total"),
        help_text="paid_total without refunded_total.",
    )
    pending_difference = RowField(
        MoneyValue(),
        columns=BALANCE_COLUMNS,
        compute=_pending_difference,
        help_text="What the customer owes; negative if it is owed to the customer.",
    )
    current_order_total = MoneyValue(source="total", help_text="The order's total.")
    original_order_total = MoneyValue(help_text="The total when the order was placed.")
    allowance_total = MoneyValue(help_text="Refunded beyond what was owed.")


def _paid_by_cards() -> Coalesce:
    lines = OrderCreditLine.objects.filter(order=OuterRef("pk"), reference=PAID_BY_CARD, deleted_at=None)
    return Coalesce(Subquery(lines.order_by().values("order").values(paid=Sum("amount"))), Value(0))


class OrderColumnsSerializer(MetadataSerializer, TotalsSerializer, DatedSerializer):
    """The columns of an order."""

    id = serializers.CharField()
    status = serializers.ChoiceField(choices=OrderStatus.values)
    display_id = serializers.IntegerField(help_text="The order's number.")
    custom_display_id = serializers.CharField(allow_null=True, help_text="The number in the shop's own format.")
    version = serializers.IntegerField()
    email = serializers.CharField(allow_null=True)
    currency_code = serializers.CharField(source="currency_id")
    region_id = serializers.CharField()
    customer_id = serializers.CharField(allow_null=True)
    sales_channel_id = serializers.CharField()
    payment_status = serializers.ChoiceField(choices=PaymentStatus.values)
    fulfillment_status = serializers.ChoiceField(choices=FulfillmentStatus.values)
    item_total = MoneyValue()
    item_subtotal = MoneyValue()
    item_tax_total = MoneyValue()
    original_item_total = MoneyValue()
    original_item_subtotal = MoneyValue(source="item_subtotal")
    original_item_tax_total = MoneyValue()
    shipping_total = MoneyValue()
    shipping_subtotal = MoneyValue()
    shipping_tax_total = MoneyValue()
    original_shipping_total = MoneyValue()
    original_shipping_subtotal = MoneyValue(source="shipping_subtotal")
    original_shipping_tax_total = MoneyValue()
    credit_line_total = MoneyValue(help_text="Paid by gift cards and store credit.")
    credit_line_subtotal = MoneyValue(source="credit_line_total", help_text="The same as credit_line_total.")


class OrderPartTotalsSerializer(ResourceSerializer):
    """The totals of an order that are computed from its columns and credit lines."""

    credit_line_tax_total = ConstantField(MoneyValue(), value=0)
    item_discount_total = SqlField(MoneyValue(), expression=F("original_item_total") - F("item_total"))
    shipping_discount_total = SqlField(MoneyValue(), expression=F("original_shipping_total") - F("shipping_total"))
    gift_card_total = SqlField(
        MoneyValue(help_text="Paid by gift cards."),
        expression=Case(When(credit_line_total=0, then=Value(0)), default=_paid_by_cards(), output_field=MoneyField()),
    )
    gift_card_tax_total = ConstantField(MoneyValue(), value=0)


class OrderSerializer(OrderColumnsSerializer, OrderPartTotalsSerializer):
    """What a cart became. Lines, prices and taxes are copies: later changes of the catalogue do not reach it."""

    summary = RowObject(_summary, along=True)
    items = ToMany(_item, key="order_id", order=("created_at",))
    shipping_address = ToOne(_address, key="shipping_address_id", select_related="shipping_address", allow_null=True)
    billing_address = ToOne(_address, key="billing_address_id", select_related="billing_address", allow_null=True)
    shipping_methods = ToMany(_shipping_method, key="order_id")
    credit_lines = ToMany(_credit_line, key="order_id", present_if=("credit_line_total",))
    payment_collections = ToMany(_collection, key="order_id", order=("created_at",))
    fulfillments = ToMany(_fulfillment, key="order_id", order=("packed_at",), present_if=("fulfillment_count",))
    promotions = ToMany(_promotion, key="order_id", order=("code",))
    invoices = ToMany(_invoice, key="order_id", order=("issued_at",), present_if=("invoicing",))
    customer = ToOne(_customer, key="customer_id", allow_null=True)
    cart = RowObject(_cart)

    class Meta:
        model = Order
        by_request = frozenset(
            {
                *("customer_id", "sales_channel_id", "metadata"),
                *("item_discount_total", "shipping_discount_total", "gift_card_tax_total"),
            }
        )
