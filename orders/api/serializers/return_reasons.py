"""Return reasons."""

from rest_framework import serializers

from kit.reads.declarations.fields import ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import RecordSerializer
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input
from orders.models import ReturnReason
from shop.models.reasons import LONGEST_DESCRIPTION


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


class ReturnReasonInput(Input):
    """A new return reason."""

    value = CharField(allow_blank=False, help_text="For storefronts, for example `wrong_size`. Unique.")
    label = CharField(allow_blank=False, help_text="Shown to customers.")  # type: ignore[assignment]  # DRF's own word too
    description = CharField(required=False, allow_null=True, max_length=LONGEST_DESCRIPTION)
    parent_return_reason_id = CharField(
        required=False, allow_null=True, help_text="Customers can choose only reasons without child reasons."
    )
    metadata = DictField(required=False, allow_null=True)


class ReturnReasonChangesInput(Input):
    """Changes to a return reason. Metadata is merged."""

    value = CharField(required=False, allow_blank=False)
    label = CharField(required=False, allow_blank=False)  # type: ignore[assignment]  # DRF's own word too
    description = CharField(required=False, allow_null=True, max_length=LONGEST_DESCRIPTION)
    metadata = DictField(required=False, allow_null=True)
