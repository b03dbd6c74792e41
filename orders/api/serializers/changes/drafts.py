"""Draft orders as staff see them: carts with the fields of orders."""

from typing import Any

import orjson
from rest_framework import serializers

from carts.api.serializers import CartSerializer
from carts.api.serializers.charges import ShippingMethodSerializer
from carts.api.serializers.items import LineItemSerializer
from carts.models import Cart
from catalog.api.serializers import AdminProductVariantSerializer
from catalog.api.serializers.admin_products import AdminProductSerializer
from customers.api.serializers import AdminCustomerSerializer
from kit.reads.declarations.computed import ConstantField, MoneyValue, RowField
from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.plans.rows import json_number
from kit.values.money import major
from shop.api.serializers import AdminRegionSerializer, SalesChannelSerializer


def _item() -> ResourceSerializerClass:
    return DraftItemSerializer


def _shipping_method() -> ResourceSerializerClass:
    return DraftMethodSerializer


def _shown_number(number: int | None) -> str:
    return f"D-{number}"


def _summary(total: int, credit: int) -> str:
    """The summary of an order of which nothing is paid."""
    owed = dict.fromkeys(
        ("current_order_total", "original_order_total", "accounting_total", "pending_difference"), total
    )
    nothing = dict.fromkeys(("paid_total", "refunded_total", "transaction_total", "allowance_total"), 0)
    amounts = {**owed, **nothing, "credit_line_total": credit}
    return orjson.dumps({name: json_number(major(units)) for name, units in amounts.items()}).decode()


def _none() -> ConstantField:
    """A list that drafts have nothing of."""
    return ConstantField(serializers.ListField(child=serializers.DictField()), value=[])


class DraftItemSerializer(LineItemSerializer):
    """A line of a draft. `variant` and `product` are null of a line with only a title."""

    is_custom_price = serializers.BooleanField(help_text="Whether staff have set the price.")
    variant = ToOne(lambda: AdminProductVariantSerializer, key="variant_id", allow_null=True)
    product = ToOne(lambda: AdminProductSerializer, key="product_id", allow_null=True)


class DraftMethodSerializer(ShippingMethodSerializer):
    """A shipping method of a draft."""

    is_custom_amount = serializers.BooleanField(help_text="Whether staff have set the amount.")


class DraftOrderSerializer(CartSerializer):
    """An order that staff prepare. Nothing is reserved or paid before it is converted."""

    status = ConstantField(serializers.CharField(), value="draft")
    is_draft_order = ConstantField(serializers.BooleanField(), value=True)
    version = ConstantField(serializers.IntegerField(), value=1)
    display_id = serializers.IntegerField(source="draft_number", help_text="The draft's number, not that of its order.")
    custom_display_id = RowField(serializers.CharField(), columns=("draft_number",), compute=_shown_number)
    payment_status = ConstantField(serializers.CharField(), value="not_paid")
    fulfillment_status = ConstantField(serializers.CharField(), value="not_fulfilled")
    no_notification = serializers.BooleanField(allow_null=True)
    created_by = serializers.CharField(allow_null=True, help_text="The staff user; null for programs.")
    summary = RowField(serializers.DictField(), columns=("total", "credit_line_total"), compute=_summary)
    payment_collections, fulfillments, transactions = _none(), _none(), _none()
    items = ToMany(_item, key="cart_id", order=("created_at",))
    shipping_methods = ToMany(_shipping_method, key="cart_id")
    customer = ToOne(lambda: AdminCustomerSerializer, key="customer_id", allow_null=True)
    gift_card_tax_total = ConstantField(MoneyValue(), value=0)
    region = ToOne(lambda: AdminRegionSerializer, key="region_id")
    sales_channel = ToOne(lambda: SalesChannelSerializer, key="sales_channel_id")

    class Meta:
        model = Cart


class DraftPreviewSerializer(serializers.Serializer[Any]):
    """The draft with its open change, as if it were confirmed. Items and shipping methods also have their `actions`."""

    draft_order_preview = DraftOrderSerializer()
