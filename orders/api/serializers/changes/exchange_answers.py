"""What the routes of exchanges and claims answer besides these themselves."""

from typing import Any

from rest_framework import serializers

from orders.api.serializers.admin_orders import AdminOrderSerializer
from orders.api.serializers.changes.exchanges import ClaimSerializer, ExchangeSerializer
from orders.api.serializers.returns import AdminReturnSerializer


class ChangePreviewSerializer(serializers.Serializer[Any]):
    """The order with its change, as if it were confirmed; once it is, the order."""

    order_preview = AdminOrderSerializer()


class ReturnPreviewSerializer(ChangePreviewSerializer):
    """The same with the return that the change makes; until it is confirmed, the return to come."""

    vars()["return"] = AdminReturnSerializer(allow_null=True)  # the name is a keyword


class ExchangePreviewSerializer(ChangePreviewSerializer):
    """The same with the exchange."""

    exchange = ExchangeSerializer()


class RequestedExchangeSerializer(ExchangePreviewSerializer, ReturnPreviewSerializer):
    """The order with the exchange, and its return."""


class BegunExchangeSerializer(serializers.Serializer[Any]):
    """The exchange that was begun, and its order."""

    order = AdminOrderSerializer()
    exchange = ExchangeSerializer()


class ClaimPreviewSerializer(ChangePreviewSerializer):
    """The same with the claim."""

    claim = ClaimSerializer()


class RequestedClaimSerializer(ClaimPreviewSerializer, ReturnPreviewSerializer):
    """The order with the claim, and its return, if something comes back."""


class BegunClaimSerializer(serializers.Serializer[Any]):
    """The claim that was begun, and its order."""

    order = AdminOrderSerializer()
    claim = ClaimSerializer()
