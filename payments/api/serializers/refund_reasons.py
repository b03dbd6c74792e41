"""Refund reasons."""

from rest_framework import serializers

from kit.reads.declarations.records import DatedSerializer, MetadataSerializer
from payments.models import RefundReason


class RefundReasonSerializer(MetadataSerializer, DatedSerializer):
    """A reason for refunds."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own word too
    description = serializers.CharField(allow_null=True)
    code = serializers.CharField()

    class Meta:
        model = RefundReason
