"""The answer to ordering again."""

from typing import Any

from rest_framework import serializers

from carts.api.serializers import CartSerializer
from kit.reads.declarations.computed import Embedded
from kit.reads.declarations.fields import ResourceSerializer
from orders.models import OrderLineItem
from orders.states import LeftOutReason


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
