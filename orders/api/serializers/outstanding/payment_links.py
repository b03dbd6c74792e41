"""Payment links as staff make them, and as whoever has one sees them."""

from typing import Any

from rest_framework import serializers

from kit.reads.declarations.computed import MoneyValue
from kit.rest.requests import input_fields
from kit.rest.requests.inputs import Input
from kit.values.ids import ID_MAX_LENGTH
from payments.states import SessionStatus


class PaymentLinkInput(Input):
    """Whether the customer is told."""

    no_notification = input_fields.BooleanField(
        required=False, help_text="Email nothing to the customer: the caller passes on the link."
    )


class MadePaymentLinkSerializer(serializers.Serializer[Any]):
    """A link by which a customer pays what an order still owes."""

    id = serializers.CharField()
    url = serializers.CharField(help_text="The link. No later answer shows it.")
    expires_at = serializers.DateTimeField()


class PaymentLinkSerializer(serializers.Serializer[Any]):
    """The link that was made."""

    payment_link = MadePaymentLinkSerializer()


class SessionOfLinkSerializer(serializers.Serializer[Any]):
    """The payment session that waits for the customer."""

    id = serializers.CharField()
    provider_id = serializers.CharField()
    status = serializers.ChoiceField(choices=SessionStatus.values)
    data = serializers.DictField(  # type: ignore[assignment]  # DRF's serializers have a property of that name
        help_text="What the provider makes public."
    )


class PayableOrderSerializer(serializers.Serializer[Any]):
    """What whoever has a link sees of its order."""

    order_number = serializers.CharField()
    amount = MoneyValue(help_text="What is left to pay, in major units; 0 once it is paid.")
    currency_code = serializers.CharField()
    is_announced = serializers.BooleanField(help_text="Whether a payment is under way at its provider.")
    payment_providers = serializers.ListField(
        child=serializers.CharField(), help_text="The ids of those by which the link can be paid."
    )
    payment_session = SessionOfLinkSerializer(allow_null=True)


class OpenedPaymentLinkSerializer(serializers.Serializer[Any]):
    """An opened link."""

    payment_link = PayableOrderSerializer()


class LinkPaymentInput(Input):
    """How a link is paid."""

    provider_id = input_fields.CharField(max_length=ID_MAX_LENGTH)
    amount = input_fields.DecimalField(help_text="The amount that the customer has seen, in major units.")
