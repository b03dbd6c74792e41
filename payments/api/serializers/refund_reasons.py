"""Refund reasons."""

from rest_framework import serializers

from kit.reads.declarations.records import DatedSerializer, MetadataSerializer
from kit.rest.requests.input_fields import CharField, DictField
from kit.rest.requests.inputs import Input
from payments.models import RefundReason
from shop.models.reasons import LONGEST_DESCRIPTION


class RefundReasonSerializer(MetadataSerializer, DatedSerializer):
    """A reason for refunds."""

    id = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # DRF's own word too
    description = serializers.CharField(allow_null=True)
    code = serializers.CharField()

    class Meta:
        model = RefundReason


class RefundReasonInput(Input):
    """A new refund reason."""

    label = CharField(allow_blank=False, help_text="Shown to staff.")  # type: ignore[assignment]  # DRF's own word too
    code = CharField(allow_blank=False, help_text="For example `damaged`. Unique.")
    description = CharField(required=False, allow_null=True, max_length=LONGEST_DESCRIPTION)
    metadata = DictField(required=False, allow_null=True)


class RefundReasonChangesInput(Input):
    """Changes to a refund reason. Metadata is merged."""

    label = CharField(required=False, allow_blank=False)  # type: ignore[assignment]  # DRF's own word too
    code = CharField(required=False, allow_blank=False)
    description = CharField(required=False, allow_null=True, max_length=LONGEST_DESCRIPTION)
    metadata = DictField(required=False, allow_null=True)
