"""Payment collections, their sessions and payments, and requests to providers."""

from payments.models.collections import PaymentCollection
from payments.models.intents import Intent, ProviderEvent
from payments.models.payments import Capture, Payment, Refund
from payments.models.refund_reasons import RefundReason
from payments.models.sessions import PaymentSession

__all__ = [
    "Capture",
    "Intent",
    "Payment",
    "PaymentCollection",
    "PaymentSession",
    "ProviderEvent",
    "Refund",
    "RefundReason",
]
