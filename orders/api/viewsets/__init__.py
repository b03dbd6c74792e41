"""The routes of orders."""

from orders.api.viewsets.admin_fulfillments import Fulfillments, OrderFulfillments
from orders.api.viewsets.admin_orders import AdminOrders, OrderChanges, OrderItems
from orders.api.viewsets.carrier_events import CarrierEvents
from orders.api.viewsets.completion import CartCompletion
from orders.api.viewsets.exchanges import (
    ClaimedItems,
    ClaimInbound,
    ClaimOutbound,
    Claims,
    ExchangeInbound,
    ExchangeOutbound,
    Exchanges,
)
from orders.api.viewsets.lookups import FoundOrders, OrderLookups
from orders.api.viewsets.management import OrderManagement, OrderNotes, OrderTransfers
from orders.api.viewsets.order_edits import OrderEditConfirmation, OrderEditItems, OrderEdits, OrderEditShipping
from orders.api.viewsets.order_pages import OrderExports, OrderOptions, OrderPreviews
from orders.api.viewsets.orders import OneOrder, Orders
from orders.api.viewsets.payment_collections import OrderCollections, OrderCreditLines, OrderSessions
from orders.api.viewsets.payment_links import OrderPaymentLinks, PaymentLinks
from orders.api.viewsets.refunds import OrderRefunds
from orders.api.viewsets.reordering import Reorders
from orders.api.viewsets.return_reasons import AdminReturnReasons, ReturnReasons
from orders.api.viewsets.returns import (
    AdminReturnItems,
    AdminReturnReceipts,
    AdminReturns,
    AdminReturnShipping,
    ReturnRequests,
)
from orders.api.viewsets.transfers import TransferAnswers, TransferRequests

__all__ = [
    "AdminOrders",
    "AdminReturnItems",
    "AdminReturnReasons",
    "AdminReturnReceipts",
    "AdminReturnShipping",
    "AdminReturns",
    "CarrierEvents",
    "CartCompletion",
    "ClaimInbound",
    "ClaimOutbound",
    "ClaimedItems",
    "Claims",
    "ExchangeInbound",
    "ExchangeOutbound",
    "Exchanges",
    "FoundOrders",
    "Fulfillments",
    "OneOrder",
    "OrderChanges",
    "OrderCollections",
    "OrderCreditLines",
    "OrderEditConfirmation",
    "OrderEditItems",
    "OrderEditShipping",
    "OrderEdits",
    "OrderExports",
    "OrderFulfillments",
    "OrderItems",
    "OrderLookups",
    "OrderManagement",
    "OrderNotes",
    "OrderOptions",
    "OrderPaymentLinks",
    "OrderPreviews",
    "OrderRefunds",
    "OrderSessions",
    "OrderTransfers",
    "Orders",
    "PaymentLinks",
    "Reorders",
    "ReturnReasons",
    "ReturnRequests",
    "TransferAnswers",
    "TransferRequests",
]
