"""The answers to completing a cart, and to ordering again."""

from typing import Any

from rest_framework import serializers

from carts.api.serializers import CartSerializer
from kit.reads.declarations.computed import Embedded
from kit.reads.declarations.fields import ResourceSerializer
from orders.api.serializers.orders import OrderSerializer
from orders.models import CompletionAttempt, OrderLineItem
from orders.states import LeftOutReason


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


class LeftOutLineSerializer(ResourceSerializer):
    """A line of the order that the new cart lacks."""

    id = serializers.CharField(help_text="The id of the order's line.")
    title = serializers.CharField()
    quantity = serializers.IntegerField()
    reason = serializers.ChoiceField(choices=LeftOutReason.choices)
    message = serializers.CharField(help_text="Why, for the shopper.")

    class Meta:
        model = OrderLineItem


class ReorderSerializer(serializers.Serializer[Any]):
    """The new cart, and the lines of the order that could not be bought again."""

    cart = CartSerializer()
    left_out = Embedded(lambda: LeftOutLineSerializer, many=True)
