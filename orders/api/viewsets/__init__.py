"""The routes of orders."""

from orders.api.viewsets.carrier_events import CarrierEvents
from orders.api.viewsets.completion import CartCompletion
from orders.api.viewsets.orders import OneOrder, Orders, ReturnReasons
from orders.api.viewsets.transfers import TransferAnswers, TransferRequests

__all__ = [
    "CarrierEvents",
    "CartCompletion",
    "OneOrder",
    "Orders",
    "ReturnReasons",
    "TransferAnswers",
    "TransferRequests",
]
