"""The payment routes below /store, and the webhooks below /hooks."""

from django.urls import path

from payments.api.viewsets import PaymentCollections, PaymentProviders, PaymentSessions, ProviderEvents

store = [
    path("payment-providers", PaymentProviders.as_view({"get": "list"})),
    path("payment-collections", PaymentCollections.as_view({"post": "open"})),
    path("payment-collections/<str:id>/payment-sessions", PaymentSessions.as_view({"post": "start"})),
]
hooks = [path("payments/<str:provider_id>", ProviderEvents.as_view({"post": "take"}))]
