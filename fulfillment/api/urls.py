"""The shipping routes below /store."""

from django.urls import path

from fulfillment.api.viewsets import Calculations, CartShippingMethods, ShippingOptions

urlpatterns = [
    path("shipping-options", ShippingOptions.as_view({"get": "list"})),
    path("shipping-options/<str:id>/calculate", Calculations.as_view({"post": "calculate"})),
    path(
        "carts/<str:id>/shipping-methods",
        CartShippingMethods.as_view({"post": "choose", "delete": "remove"}),
    ),
]
