"""The answer to completing a cart."""

from typing import Any

from rest_framework import serializers

from carts.api.serializers import CartSerializer
from kit.reads.declarations.fields import ResourceSerializer
from orders.api.serializers.orders import OrderSerializer
from orders.models import CompletionAttempt


class CompletionErrorSerializer(ResourceSerializer):
    """Why a cart's payment did not pass."""

    message = serializers.CharField()
    name = serializers.CharField(help_text="The same as type.")
    type = serializers.CharField(help_text="`payment_authorization_error` or `payment_requires_more_error`.")

    class Meta:
        model = CompletionAttempt


class CompletionSerializer(serializers.Serializer[Any]):
    """The order; or the cart, which can be completed again, and why its payment did not pass."""

    type = serializers.ChoiceField(choices=["order", "cart"])
    order = OrderSerializer(required=False)
    cart = CartSerializer(required=False)
    error = CompletionErrorSerializer(required=False)
