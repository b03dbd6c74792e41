"""The shipping routes below /store."""

from django.urls import path

from fulfillment.api.viewsets import ShippingOptions

urlpatterns = [
    path("shipping-options", ShippingOptions.as_view({"get": "list"})),
]
