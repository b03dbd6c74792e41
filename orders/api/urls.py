"""The routes of orders below /store."""

from django.urls import path

from commerce.kit.api.routes import reading
from orders.api.completion_viewsets import CartCompletion
from orders.api.viewsets import OneOrder, Orders, ReturnReasons

urlpatterns = [
    path("carts/<str:id>/complete", CartCompletion.as_view({"post": "complete"})),
    path("orders", Orders.as_view({"get": "list"})),
    path("orders/<str:id>", OneOrder.as_view({"get": "retrieve"})),
    *reading("return-reasons", ReturnReasons),
]
