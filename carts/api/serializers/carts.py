"""Carts and their addresses."""

from rest_framework import serializers

from carts.api.serializers.charges import CreditLineSerializer, ShippingMethodSerializer
from carts.api.serializers.items import LineItemSerializer
from carts.api.serializers.promotions import PromotionSerializer
from carts.api.serializers.totals import TotalsSerializer
from carts.models import Cart, CartAddress
from customers.api.serializers import CustomerSerializer
from kit.reads.declarations.computed import MoneyValue
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer, MetadataSerializer
from kit.rest.responses.answers import DeletedSerializer
from shop.api.serializers import PlaceSerializer, RegionSerializer


def _item() -> ResourceSerializerClass:
    return LineItemSerializer


def _region() -> ResourceSerializerClass:
    return RegionSerializer


def _customer() -> ResourceSerializerClass:
    return CustomerSerializer


def _address() -> ResourceSerializerClass:
    return CartAddressSerializer


def _shipping_method() -> ResourceSerializerClass:
    return ShippingMethodSerializer


def _promotion() -> ResourceSerializerClass:
    return PromotionSerializer


def _credit_line() -> ResourceSerializerClass:
    return CreditLineSerializer


class CartAddressSerializer(PlaceSerializer, MetadataSerializer, DatedSerializer):
    """The shipping or billing address of a cart."""

    id = serializers.CharField()
    first_name = serializers.CharField(allow_null=True)
    last_name = serializers.CharField(allow_null=True)
    company = serializers.CharField(allow_null=True)

    class Meta:
        model = CartAddress


class CartSerializer(MetadataSerializer, TotalsSerializer, DatedSerializer):
    """What a customer is about to buy. `total` is the remaining amount to pay."""

    id = serializers.CharField()
    region_id = serializers.CharField()
    customer_id = serializers.CharField(allow_null=True)
    sales_channel_id = serializers.CharField()
    email = serializers.CharField(allow_null=True)
    currency_code = serializers.CharField(source="currency_id")
    locale = serializers.CharField(allow_null=True)
    shipping_address_id = serializers.CharField(allow_null=True)
    billing_address_id = serializers.CharField(allow_null=True)
    completed_at = serializers.DateTimeField(allow_null=True)
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
    credit_line_total = MoneyValue(help_text="The part that credit lines pay.")
    gift_card_total = MoneyValue(source="credit_line_total", help_text="The same as credit_line_total.")
    items = ToMany(_item, key="cart_id", order=("created_at",))
    region = ToOne(_region, key="region_id")
    customer = ToOne(_customer, key="customer_id", allow_null=True)
    shipping_address = ToOne(_address, key="shipping_address_id", allow_null=True)
    billing_address = ToOne(_address, key="billing_address_id", allow_null=True)
    shipping_methods = ToMany(_shipping_method, key="cart_id")
    promotions = ToMany(_promotion, key="carts", order=("code",))
    credit_lines = ToMany(_credit_line, key="cart_id")

    class Meta:
        model = Cart


class DeletedLineItemSerializer(DeletedSerializer):
    """The line that was removed, and the cart without it."""

    parent = CartSerializer()
