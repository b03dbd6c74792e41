"""The shipping routes below /store and /admin."""

from django.urls import path

from fulfillment.api.admin.urls import urlpatterns as admin
from fulfillment.api.viewsets import Calculations, CartShippingMethods, ShippingOptions

__all__ = ["admin", "urlpatterns"]

urlpatterns = [
    path("shipping-options", ShippingOptions.as_view({"get": "list"})),
    path("shipping-options/<str:id>/calculate", Calculations.as_view({"post": "calculate"})),
    path(
        "carts/<str:id>/shipping-methods",
        CartShippingMethods.as_view({"post": "choose", "delete": "remove"}),
    ),
]
