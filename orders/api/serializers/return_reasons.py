"""Return reasons."""

from rest_framework import serializers

from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import RecordSerializer
from orders.models import ReturnReason


def _reason() -> ResourceSerializerClass:
    return ReturnReasonSerializer


class ReturnReasonSerializer(RecordSerializer):
    """Why goods come back. Only reasons without children can be chosen."""

    id = serializers.CharField()
    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own word too
    description = serializers.CharField(allow_null=True)
    parent_return_reason_id = serializers.CharField(allow_null=True)
    parent_return_reason = ToOne(_reason, key="parent_return_reason_id", allow_null=True)
    return_reason_children = ToMany(
        _reason, key="parent_return_reason_id", inverse="parent_return_reason", order=("created_at",)
    )

    class Meta:
        model = ReturnReason
        by_request = frozenset({"metadata"})


class AdminReturnReasonSerializer(ReturnReasonSerializer):
    """A reason for returns, for staff."""
