"""The routes of orders below /store and /admin, and the webhooks below /hooks."""

from django.urls import path

from commerce.kit.api.routes import reading
from orders.api.viewsets import (
    AdminReturnReasons,
    CarrierEvents,
    CartCompletion,
    OneOrder,
    OrderRefunds,
    Orders,
    ReturnReasons,
    TransferAnswers,
    TransferRequests,
)

store = [
    path("carts/<str:id>/complete", CartCompletion.as_view({"post": "complete"})),
    path("orders", Orders.as_view({"get": "list"})),
    path("orders/<str:id>", OneOrder.as_view({"get": "retrieve"})),
    path("orders/<str:id>/transfer/request", TransferRequests.as_view({"post": "create"})),
    path("orders/<str:id>/transfer/cancel", TransferRequests.as_view({"post": "cancel"})),
    path("orders/<str:id>/transfer/accept", TransferAnswers.as_view({"post": "accept"})),
    path("orders/<str:id>/transfer/decline", TransferAnswers.as_view({"post": "decline"})),
    *reading("return-reasons", ReturnReasons),
]
admin = [
    path("orders/<str:id>/refunds", OrderRefunds.as_view({"get": "list", "post": "create"})),
    path("orders/<str:id>/refunds/<str:refund_id>", OrderRefunds.as_view({"get": "retrieve"})),
    path("return-reasons", AdminReturnReasons.as_view({"get": "list", "post": "create"})),
    path(
        "return-reasons/<str:id>",
        AdminReturnReasons.as_view({"get": "retrieve", "post": "update", "delete": "destroy"}),
    ),
]
hooks = [path("fulfillment/<str:provider_id>", CarrierEvents.as_view({"post": "receive"}))]
