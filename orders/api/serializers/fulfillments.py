"""Fulfillments of orders, as shoppers see them. Source: orders.md D11."""

from collections.abc import Sequence

from rest_framework import serializers

from commerce.kit.core.json import JSONObject
from commerce.kit.projection.computed import Batch, Embedded
from commerce.kit.projection.fields import ResourceSerializer, ResourceSerializerClass


class FulfillmentItemSerializer(ResourceSerializer):
    """Units of a line that are sent together."""

    id = serializers.CharField()
    line_item_id = serializers.CharField()
    quantity = serializers.IntegerField()
    title = serializers.CharField()


class FulfillmentLabelSerializer(ResourceSerializer):
    """A parcel's tracking number."""

    id = serializers.CharField()
    tracking_number = serializers.CharField()
    tracking_url = serializers.CharField(allow_null=True)


def _item() -> ResourceSerializerClass:
    return FulfillmentItemSerializer


def _label() -> ResourceSerializerClass:
    return FulfillmentLabelSerializer


class FulfillmentSerializer(ResourceSerializer):
    """Goods that are sent together. The shop does not record fulfillments yet, so no answer contains one."""

    id = serializers.CharField()
    packed_at = serializers.DateTimeField(allow_null=True)
    shipped_at = serializers.DateTimeField(allow_null=True)
    delivered_at = serializers.DateTimeField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)
    items = Embedded(_item, many=True, along=True)
    labels = Embedded(_label, many=True, along=True)


def load_fulfillments(batch: Batch) -> Sequence[list[JSONObject]]:
    """None yet."""
    return [[] for _ in batch.rows]
