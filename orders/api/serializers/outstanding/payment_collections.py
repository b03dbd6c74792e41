"""What staff send to have an order paid."""

from typing import Any

from rest_framework import serializers

from kit.rest.requests import input_fields
from kit.rest.requests.inputs import Input
from kit.values.ids import ID_MAX_LENGTH
from orders.api.serializers.admin_orders import AdminOrderSerializer
from orders.managing.credit_lines import LONGEST_REFERENCE
from payments.movements.refunding import LONGEST_NOTE


class OrderCollectionInput(Input):
    """The order to pay for, and how much."""

    order_id = input_fields.CharField(max_length=ID_MAX_LENGTH)
    amount = input_fields.DecimalField(help_text="In major units, at most what is outstanding of the order.")


class MarkAsPaidInput(Input):
    """How the amount of a payment collection has arrived."""

    order_id = input_fields.CharField(max_length=ID_MAX_LENGTH)
    provider_id = input_fields.CharField(
        required=False,
        max_length=ID_MAX_LENGTH,
        help_text="A provider for payments that staff record. The default is `pp_system_default`.",
    )
    note = input_fields.CharField(
        required=False,
        allow_null=True,
        max_length=LONGEST_NOTE,
        help_text="For staff, such as the reference of a transfer.",
    )


class CreditLineInput(Input):
    """Store credit that pays for an order, or is given back."""

    amount = input_fields.DecimalField(
        help_text="In major units: at most what is outstanding and the balance of the customer's store credit. A "
        "negative amount, at most what the customer is owed, is refunded as store credit."
    )
    reference = input_fields.CharField(
        max_length=LONGEST_REFERENCE, help_text="What the credit is for, such as `order`; not stored of refunds."
    )
    reference_id = input_fields.CharField(max_length=ID_MAX_LENGTH, help_text="Its id; once for an order.")
    metadata = input_fields.DictField(required=False, allow_null=True)


class SessionOfOrderInput(Input):
    """The payment session to authorize."""

    payment_session_id = input_fields.CharField(max_length=ID_MAX_LENGTH)


class AuthorizedOrderSerializer(serializers.Serializer[Any]):
    """The order, and whether the session is authorized."""

    order = AdminOrderSerializer()
    is_authorized = serializers.BooleanField()
