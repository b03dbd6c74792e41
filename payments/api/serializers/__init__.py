"""Serializers of payments, and inputs."""

from payments.api.serializers.admin import (
    AdminPaymentCollectionSerializer,
    AdminPaymentProviderSerializer,
    AdminPaymentSerializer,
    CaptureInput,
    RefundInput,
)
from payments.api.serializers.providers import OfferedProviderSerializer
from payments.api.serializers.refund_reasons import RefundReasonSerializer
from payments.api.serializers.resources import (
    PAYMENT_COLLECTION_OF_CART,
    PaymentCollectionInput,
    PaymentCollectionSerializer,
    PaymentSessionInput,
)

__all__ = [
    "PAYMENT_COLLECTION_OF_CART",
    "AdminPaymentCollectionSerializer",
    "AdminPaymentProviderSerializer",
    "AdminPaymentSerializer",
    "CaptureInput",
    "OfferedProviderSerializer",
    "PaymentCollectionInput",
    "PaymentCollectionSerializer",
    "PaymentSessionInput",
    "RefundInput",
    "RefundReasonSerializer",
]
