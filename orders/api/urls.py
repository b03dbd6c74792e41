"""The routes of orders below /store."""

from django.urls import path

from commerce.kit.api.routes import reading
from orders.api.viewsets import OneOrder, Orders, ReturnReasons

urlpatterns = [
    path("orders", Orders.as_view({"get": "list"})),
    path("orders/<str:id>", OneOrder.as_view({"get": "retrieve"})),
    *reading("return-reasons", ReturnReasons),
]
