"""The payment routes below /store and /admin, and the webhooks below /hooks."""

from django.urls import path

from kit.rest.row_endpoint import row_routes
from payments.api.viewsets.admin import AdminPaymentProviders, Payments, RefundReasons
from payments.api.viewsets.store import PaymentCollections, PaymentProviders, PaymentSessions, ProviderEvents

store = [
    path("payment-providers", PaymentProviders.as_view({"get": "list"})),
    path("payment-collections", PaymentCollections.as_view({"post": "open"})),
    path("payment-collections/<str:id>/payment-sessions", PaymentSessions.as_view({"post": "start"})),
]
admin = [
    path("payments", Payments.as_view({"get": "list"})),
    path("payments/payment-providers", AdminPaymentProviders.as_view({"get": "list"})),
    path("payments/<str:id>", Payments.as_view({"get": "retrieve"})),
    path("payments/<str:id>/capture", Payments.as_view({"post": "capture"})),
    path("payments/<str:id>/refund", Payments.as_view({"post": "refund"})),
    *row_routes("refund-reasons", RefundReasons),
]
hooks = [path("payments/<str:provider_id>", ProviderEvents.as_view({"post": "receive"}))]
