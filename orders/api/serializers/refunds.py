"""Refunds of orders with their parts, and the inputs that create one.

Why: docs/decisions/refunds.md#a-refund-of-an-order-has-parts.
"""

from django.db.models import Case, CharField, F, Value, When
from rest_framework import serializers

from kit.reads.declarations.computed import MoneyValue, SqlField
from kit.reads.declarations.fields import ResourceSerializer, ResourceSerializerClass, ToMany, ToOne
from kit.reads.declarations.records import DatedSerializer
from kit.rest.requests import input_fields
from kit.rest.requests.inputs import Input
from kit.values.ids import ID_MAX_LENGTH
from orders.models import GrantedRefund, RefundPart
from orders.states import RefundPartStatus
from payments.api.serializers import RefundReasonSerializer
from payments.movements.refunding import LONGEST_NOTE
from payments.states import Result


def _part() -> ResourceSerializerClass:
    return RefundPartSerializer


def _reason() -> ResourceSerializerClass:
    return RefundReasonSerializer


_STATUS = Case(
    When(intent__result=Result.REFUSED, then=Value(RefundPartStatus.FAILED.value)),
    When(intent__isnull=False, intent__done_at=None, then=Value(RefundPartStatus.PENDING.value)),
    default=Value(RefundPartStatus.SUCCEEDED.value),
    output_field=CharField(),
)
_ERROR = Case(When(intent__result=Result.REFUSED, then=F("intent__error")), output_field=CharField())


class RefundPartSerializer(ResourceSerializer):
    """What a refund returns to one payment or store credit account."""

    id = serializers.CharField()
    amount = MoneyValue()
    payment_id = serializers.CharField(allow_null=True)
    store_credit_account_id = serializers.CharField(
        source="account_id",
        allow_null=True,
        help_text="Of a customer, or of the gift card that a guest paid with and can spend again.",
    )
    status = SqlField(
        serializers.ChoiceField(choices=RefundPartStatus.values),
        expression=_STATUS,
        help_text="`pending` until the payment provider has answered. If it is `failed`, refund the amount again.",
    )
    error = SqlField(
        serializers.CharField(allow_null=True), expression=_ERROR, help_text="Why the payment provider declined."
    )

    class Meta:
        model = RefundPart


class GrantedRefundSerializer(DatedSerializer):
    """A refund of an order."""

    id = serializers.CharField()
    order_id = serializers.CharField()
    amount = MoneyValue()
    allowance = MoneyValue(help_text="How much of the amount was not owed to the customer.")
    refund_reason_id = serializers.CharField(allow_null=True)
    return_id = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_null=True)
    to_store_credit = serializers.BooleanField(help_text="Whether all of it went to the customer's store credit.")
    created_by = serializers.CharField(
        allow_null=True,
        help_text="The id of the staff user. Null if the refund was made on a payment provider's own screens.",
    )
    refund_reason = ToOne(_reason, key="refund_reason_id", allow_null=True)
    parts = ToMany(_part, key="refund_id", order=("rank",))

    class Meta:
        model = GrantedRefund


class OrderRefundInput(Input):
    """How much of an order to refund, and why. A reason or a return is required."""

    amount = input_fields.DecimalField(help_text="In major units, at most what was paid and has not been refunded.")
    refund_reason_id = input_fields.CharField(required=False, allow_null=True)
    return_id = input_fields.CharField(required=False, allow_null=True, max_length=ID_MAX_LENGTH)
    note = input_fields.CharField(required=False, allow_null=True, max_length=LONGEST_NOTE, help_text="For staff.")
    to_store_credit = input_fields.BooleanField(
        required=False, help_text="Refund all of it to the customer's store credit, not to where it came from."
    )


class RefundOfOrderInput(OrderRefundInput):
    """How much of an order to refund, and why. A reason or a return is required."""

    order_id = input_fields.CharField(allow_blank=False)
