"""The routes of orders."""

from orders.api.viewsets.completion import CartCompletion
from orders.api.viewsets.orders import OneOrder, Orders
from orders.api.viewsets.return_reasons import AdminReturnReasons, ReturnReasons
from orders.api.viewsets.transfers import TransferAnswers, TransferRequests

__all__ = [
    "AdminReturnReasons",
    "CartCompletion",
    "OneOrder",
    "Orders",
    "ReturnReasons",
    "TransferAnswers",
    "TransferRequests",
]
