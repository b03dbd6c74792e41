"""Fulfillments as staff see them."""

from rest_framework import serializers

from fulfillment.api.admin.serializers import AdminShippingOptionSerializer
from fulfillment.api.serializers import FulfillmentProviderSerializer
from kit.reads.declarations.fields import ToMany, ToOne
from kit.reads.declarations.records import DeletableSerializer, MetadataSerializer
from orders.api.serializers.fulfillments import FulfillmentItemSerializer, FulfillmentSerializer
from orders.api.serializers.orders import OrderAddressSerializer


class AdminFulfillmentItemSerializer(FulfillmentItemSerializer):
    """Units of a line in a fulfillment, for staff. A kit has one row for each of its inventory items."""

    sku = serializers.CharField()
    barcode = serializers.CharField()
    inventory_item_id = serializers.CharField(allow_null=True, help_text="Null if it takes nothing from stock.")
    units = serializers.IntegerField(help_text="Units of the line.")


class AdminFulfillmentSerializer(FulfillmentSerializer, MetadataSerializer, DeletableSerializer):
    """Units of an order that leave one location together, for staff."""

    order_id = serializers.CharField()
    shipping_option_id = serializers.CharField(allow_null=True)
    marked_shipped_by = serializers.CharField(allow_null=True, help_text="The id of the staff user.")
    cancel_reason = serializers.CharField(allow_null=True, help_text="Why the provider refused it.")
    items = ToMany(lambda: AdminFulfillmentItemSerializer, key="fulfillment_id", along=True)
    delivery_address = ToOne(lambda: OrderAddressSerializer, key="delivery_address_id", allow_null=True)
    provider = ToOne(lambda: FulfillmentProviderSerializer, key="provider_id", allow_null=True)
    shipping_option = ToOne(lambda: AdminShippingOptionSerializer, key="shipping_option_id", allow_null=True)
