"""Payments as staff see them, and what they send to move money."""

from rest_framework import serializers

from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.rest.requests.input_fields import CharField, DecimalField
from kit.rest.requests.inputs import Input
from payments.api.serializers.resources import PaymentCollectionSerializer, PaymentSerializer, RefundSerializer
from payments.movements.refunding import LONGEST_NOTE
from shop.models import PaymentProvider


def _refund() -> ResourceSerializerClass:
    return AdminRefundSerializer


class AdminRefundSerializer(RefundSerializer):
    """A refund of a payment, for staff."""

    payment_id = serializers.CharField()


class AdminPaymentCollectionSerializer(PaymentCollectionSerializer):
    """The amount that was to be paid for a cart or an order, for staff."""


class AdminPaymentSerializer(PaymentSerializer):
    """A payment that a provider has authorized, for staff."""

    payment_collection_id = serializers.CharField(source="collection_id")
    payment_session_id = serializers.CharField(source="session_id")
    refunds = ToMany(_refund, key="payment_id", inverse="payment")
    payment_collection = ToOne(lambda: AdminPaymentCollectionSerializer, key="collection_id")


class AdminPaymentProviderSerializer(ResourceSerializer):
    """A payment provider of the settings."""

    id = serializers.CharField()
    is_enabled = serializers.BooleanField(help_text="Whether shoppers can choose it, in the regions that offer it.")

    class Meta:
        model = PaymentProvider


class CaptureInput(Input):
    """How much to capture."""

    amount = DecimalField(required=False, help_text="In major units. The default is all that is left to capture.")


class RefundInput(Input):
    """How much to refund, and why."""

    amount = DecimalField(required=False, help_text="In major units. The default is all that is left to refund.")
    refund_reason_id = CharField(required=False, allow_null=True)
    note = CharField(required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="For staff.")
