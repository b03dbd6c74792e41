"""The routes of transfers below /store."""

from django.urls import path

from orders.api.transfer_viewsets import TransferAnswers, TransferRequests

transfer_urls = [
    path("orders/<str:id>/transfer/request", TransferRequests.as_view({"post": "create"})),
    path("orders/<str:id>/transfer/cancel", TransferRequests.as_view({"post": "cancel"})),
    path("orders/<str:id>/transfer/accept", TransferAnswers.as_view({"post": "accept"})),
    path("orders/<str:id>/transfer/decline", TransferAnswers.as_view({"post": "decline"})),
]
