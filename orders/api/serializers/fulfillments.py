"""Fulfillments of orders. Shoppers see what was sent, when, and how to follow it.

Why: docs/decisions/fulfillments.md#shoppers-see-how-to-follow-a-parcel.
"""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from kit.reads.declarations.computed import Batch, BatchField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany
from kit.reads.declarations.records import DatedSerializer
from kit.values.json import JSON
from orders.models import Fulfillment, FulfillmentItem, FulfillmentLabel


def _to_staff(
    column: str, output_field: type[serializers.Field[Any, Any, Any, Any]] = serializers.CharField
) -> BatchField:
    """A column that only staff see; null for storefronts."""
    field = output_field(allow_null=True, help_text="Null unless the caller is staff.")
    return BatchField(field, columns=(column,), load=_shown_to_staff)


def _shown_to_staff(batch: Batch) -> Sequence[JSON]:
    return [value if batch.actor.is_trusted else None for (value,) in batch.rows]


class FulfillmentItemSerializer(ResourceSerializer):
    """Units of a line in a fulfillment; for a kit, one of its items."""

    id = serializers.CharField()
    line_item_id = serializers.CharField()
    title = serializers.CharField()
    quantity = serializers.IntegerField(help_text="Pieces: units of the line x what one unit requires.")

    class Meta:
        model = FulfillmentItem


class FulfillmentLabelSerializer(ResourceSerializer):
    """A parcel."""

    id = serializers.CharField()
    tracking_number = serializers.CharField()
    tracking_url = serializers.CharField(allow_null=True)
    label_url = _to_staff("label_url")

    class Meta:
        model = FulfillmentLabel


def _item() -> ResourceSerializerClass:
    return FulfillmentItemSerializer


def _label() -> ResourceSerializerClass:
    return FulfillmentLabelSerializer


class FulfillmentStepsSerializer(ResourceSerializer):
    """When the fulfillment reached each step; null if it has not."""

    packed_at = serializers.DateTimeField(allow_null=True)
    shipped_at = serializers.DateTimeField(allow_null=True)
    delivered_at = serializers.DateTimeField(allow_null=True)
    canceled_at = serializers.DateTimeField(allow_null=True)


class FulfillmentSerializer(FulfillmentStepsSerializer, DatedSerializer):
    """Units of an order that leave one location together."""

    id = serializers.CharField()
    provider_id = serializers.CharField(allow_null=True)
    requires_shipping = serializers.BooleanField()
    location_id = _to_staff("location_id")
    created_by = _to_staff("created_by")
    data = _to_staff("data", serializers.DictField)  # type: ignore[assignment]  # DRF's own word too
    items = ToMany(_item, key="fulfillment_id", along=True)
    labels = ToMany(_label, key="fulfillment_id", along=True)

    class Meta:
        model = Fulfillment
