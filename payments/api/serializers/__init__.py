"""Serializers of payments, and inputs."""

from payments.api.serializers.inputs import PaymentCollectionInput, PaymentSessionInput
from payments.api.serializers.providers import OfferedProviderSerializer
from payments.api.serializers.resources import PAYMENT_COLLECTION_OF_CART, PaymentCollectionSerializer

__all__ = [
    "PAYMENT_COLLECTION_OF_CART",
    "OfferedProviderSerializer",
    "PaymentCollectionInput",
    "PaymentCollectionSerializer",
    "PaymentSessionInput",
]
