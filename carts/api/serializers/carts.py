"""Carts and their addresses."""

from django.db.models import F, Q
from rest_framework import serializers

from carts.api.serializers.charges import CreditLineSerializer, ShippingMethodSerializer
from carts.api.serializers.items import LineItemSerializer
from carts.api.serializers.promotions import PromotionSerializer, SkippedCodeSerializer
from carts.api.serializers.totals import TotalsSerializer
from carts.models import Cart, CartAddress
from customers.api.serializers import CustomerSerializer
from kit.reads.declarations.computed import ConstantField, MoneyValue, SqlField
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


def _skipped_code() -> ResourceSerializerClass:
    return SkippedCodeSerializer


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
    credit_line_subtotal = MoneyValue(source="credit_line_total", help_text="The same as credit_line_total.")
    credit_line_tax_total = ConstantField(MoneyValue(), value=0)
    gift_card_total = MoneyValue(source="credit_line_total", help_text="The same as credit_line_total.")
    item_discount_total = SqlField(MoneyValue(), expression=F("original_item_total") - F("item_total"))
    shipping_discount_total = SqlField(MoneyValue(), expression=F("original_shipping_total") - F("shipping_total"))
    items = ToMany(_item, key="cart_id", order=("created_at",))
    region = ToOne(_region, key="region_id")
    customer = ToOne(_customer, key="customer_id", allow_null=True)
    shipping_address = ToOne(_address, key="shipping_address_id", allow_null=True)
    billing_address = ToOne(_address, key="billing_address_id", allow_null=True)
    shipping_methods = ToMany(_shipping_method, key="cart_id")
    promotions = ToMany(_promotion, key="cart_id", only=Q(is_applied=True), order=("id",))
    skipped_promo_codes = ToMany(
        _skipped_code, key="cart_id", only=Q(is_applied=False), order=("id",), present_if=("skipped_codes",)
    )
    credit_lines = ToMany(_credit_line, key="cart_id")

    class Meta:
        model = Cart
        by_request = frozenset(
            {"credit_line_subtotal", "credit_line_tax_total", "item_discount_total", "shipping_discount_total"}
        )


class DeletedLineItemSerializer(DeletedSerializer):
    """The line that was removed, and the cart without it."""

    parent = CartSerializer()
