"""The routes of orders below /store and /admin, the webhooks below /hooks, and the pages for guests."""

from typing import Any

from django.urls import URLPattern, path

from kit.rest.routes import reading
from kit.rest.row_endpoint import row_routes
from orders.access.signed_documents import PAGE
from orders.api import draft_urls
from orders.api.viewsets import (
    AdminOrders,
    AdminReturnItems,
    AdminReturnReasons,
    AdminReturnReceipts,
    AdminReturns,
    AdminReturnShipping,
    CarrierEvents,
    CartCompletion,
    ClaimedItems,
    ClaimInbound,
    ClaimOutbound,
    Claims,
    ExchangeInbound,
    ExchangeOutbound,
    Exchanges,
    FoundOrders,
    Fulfillments,
    OneOrder,
    OrderChanges,
    OrderCollections,
    OrderCreditLines,
    OrderEditConfirmation,
    OrderEditItems,
    OrderEdits,
    OrderEditShipping,
    OrderExports,
    OrderFulfillments,
    OrderItems,
    OrderLookups,
    OrderManagement,
    OrderNotes,
    OrderOptions,
    OrderPaymentLinks,
    OrderPreviews,
    OrderRefunds,
    Orders,
    OrderSessions,
    OrderTransfers,
    PaymentLinks,
    Reorders,
    ReturnReasons,
    ReturnRequests,
    TransferAnswers,
    TransferRequests,
)
from orders.api.viewsets.invoice_files import AdminInvoiceFiles, OrderInvoiceFiles, document_page
from orders.api.viewsets.invoices import AdminInvoices, OrderInvoices
from orders.api.viewsets.pages.lookup_page import lookup_page
from orders.api.viewsets.pages.payment_page import payment_page

store = [
    path("carts/<str:id>/complete", CartCompletion.as_view({"post": "complete"})),
    path("orders", Orders.as_view({"get": "list"})),
    path("orders/lookup", OrderLookups.as_view({"post": "create"})),
    path("orders/lookup/<str:token>", FoundOrders.as_view({"post": "open"})),
    path("orders/<str:id>", OneOrder.as_view({"get": "retrieve"})),
    path("orders/<str:id>/invoices", OrderInvoices.as_view({"get": "documents"})),
    path("orders/<str:id>/invoices/<str:invoice_id>", OrderInvoiceFiles.as_view({"get": "download"})),
    path("orders/<str:id>/reorder", Reorders.as_view({"post": "create"})),
    path("orders/<str:id>/transfer/request", TransferRequests.as_view({"post": "create"})),
    path("orders/<str:id>/transfer/cancel", TransferRequests.as_view({"post": "cancel"})),
    path("orders/<str:id>/transfer/accept", TransferAnswers.as_view({"post": "accept"})),
    path("orders/<str:id>/transfer/decline", TransferAnswers.as_view({"post": "decline"})),
    path("payment-links/<str:token>", PaymentLinks.as_view({"get": "retrieve", "post": "pay"})),
    *reading("return-reasons", ReturnReasons),
    path("returns", ReturnRequests.as_view({"post": "create"})),
]


def _steps(path_of_one: str, part: str, steps: Any, suffix: str = "") -> list[URLPattern]:
    """The routes that add a step to an open change, and that change and remove one. suffix: of the actions."""
    return [
        path(f"{path_of_one}/{part}", steps.as_view({"post": f"add{suffix}"})),
        path(
            f"{path_of_one}/{part}/<str:action_id>",
            steps.as_view({"post": f"change{suffix}", "delete": f"remove{suffix}"}),
        ),
    ]


def _exchanging(plural: str, whole: Any, inbound: Any, outbound: Any) -> list[URLPattern]:
    """The routes of exchanges, or of claims."""
    one = f"{plural}/<str:id>"
    return [
        path(plural, whole.as_view({"get": "list", "post": "create"})),
        path(one, whole.as_view({"get": "retrieve"})),
        path(f"{one}/request", whole.as_view({"post": "confirm", "delete": "discard"})),
        path(f"{one}/cancel", whole.as_view({"post": "cancel"})),
        *_steps(one, "inbound/items", inbound),
        *_steps(one, "inbound/shipping-method", inbound, "_method"),
        *_steps(one, "outbound/items", outbound),
        *_steps(one, "outbound/shipping-method", outbound, "_method"),
    ]


_ACTS = ("complete", "archive", "cancel")
_FULFILLMENT = "orders/<str:id>/fulfillments/<str:fulfillment_id>"
admin = [
    path("orders", AdminOrders.as_view({"get": "list"})),
    path("orders/export", OrderExports.as_view({"post": "create"})),
    path("orders/<str:id>", OrderManagement.as_view({"get": "retrieve", "post": "update"})),
    *(path(f"orders/<str:id>/{act}", OrderManagement.as_view({"post": act})) for act in _ACTS),
    path("orders/<str:id>/preview", OrderPreviews.as_view({"get": "preview"})),
    path("orders/<str:id>/shipping-options", OrderOptions.as_view({"get": "choices"})),
    path("orders/<str:id>/transfer", OrderTransfers.as_view({"post": "request_for"})),
    path("orders/<str:id>/transfer/guest", OrderTransfers.as_view({"post": "to_guest"})),
    path("orders/<str:id>/transfer/cancel", OrderTransfers.as_view({"post": "cancel"})),
    path("orders/<str:id>/notes", OrderNotes.as_view({"get": "list", "post": "create"})),
    path("orders/<str:id>/changes", OrderChanges.as_view({"get": "list"})),
    path("orders/<str:id>/line-items", OrderItems.as_view({"get": "list"})),
    path("orders/<str:id>/fulfillments", OrderFulfillments.as_view({"post": "create"})),
    path(f"{_FULFILLMENT}/cancel", OrderFulfillments.as_view({"post": "cancel"})),
    path(f"{_FULFILLMENT}/shipments", OrderFulfillments.as_view({"post": "ship"})),
    path(f"{_FULFILLMENT}/mark-as-delivered", OrderFulfillments.as_view({"post": "deliver"})),
    path("fulfillments", Fulfillments.as_view({"post": "create"})),
    path("fulfillments/<str:id>/cancel", Fulfillments.as_view({"post": "cancel"})),
    path("fulfillments/<str:id>/shipment", Fulfillments.as_view({"post": "ship"})),
    path("orders/<str:id>/payment-sessions/authorize", OrderSessions.as_view({"post": "authorize"})),
    path("orders/<str:id>/credit-lines", OrderCreditLines.as_view({"post": "create"})),
    path("orders/<str:id>/payment-links", OrderPaymentLinks.as_view({"post": "create"})),
    path("payment-collections", OrderCollections.as_view({"post": "create"})),
    path("payment-collections/<str:id>", OrderCollections.as_view({"delete": "destroy"})),
    path("payment-collections/<str:id>/mark-as-paid", OrderCollections.as_view({"post": "mark_as_paid"})),
    path("payment-collections/<str:id>/payment-sessions", OrderCollections.as_view({"post": "start"})),
    *draft_urls.urlpatterns,
    path("order-edits", OrderEdits.as_view({"post": "create"})),
    path("order-edits/<str:id>", OrderEdits.as_view({"delete": "destroy"})),
    path("order-edits/<str:id>/request", OrderEditConfirmation.as_view({"post": "mark"})),
    path("order-edits/<str:id>/confirm", OrderEditConfirmation.as_view({"post": "confirm"})),
    path("order-edits/<str:id>/items", OrderEditItems.as_view({"post": "add"})),
    path(
        "order-edits/<str:id>/items/<str:action_id>",
        OrderEditItems.as_view({"post": "change", "delete": "remove"}),
    ),
    path("order-edits/<str:id>/items/item/<str:item_id>", OrderEditItems.as_view({"post": "change_line"})),
    path("order-edits/<str:id>/shipping-method", OrderEditShipping.as_view({"post": "add"})),
    path(
        "order-edits/<str:id>/shipping-method/<str:action_id>",
        OrderEditShipping.as_view({"post": "change", "delete": "remove"}),
    ),
    *_exchanging("exchanges", Exchanges, ExchangeInbound, ExchangeOutbound),
    *_exchanging("claims", Claims, ClaimInbound, ClaimOutbound),
    *_steps("claims/<str:id>", "claim-items", ClaimedItems),
    path("order-changes/<str:id>", OrderEdits.as_view({"post": "update"})),
    path("orders/<str:id>/refunds", OrderRefunds.as_view({"get": "list", "post": "create"})),
    path("orders/<str:id>/refunds/<str:refund_id>", OrderRefunds.as_view({"get": "retrieve"})),
    *reading("invoices", AdminInvoices),
    path("invoices/<str:id>/pdf", AdminInvoiceFiles.as_view({"get": "download"})),
    path("invoices/<str:id>/correct", AdminInvoices.as_view({"post": "correct"})),
    path("orders/<str:id>/invoices", AdminInvoices.as_view({"post": "issue"})),
    *row_routes("return-reasons", AdminReturnReasons),
    path("returns", AdminReturns.as_view({"get": "list", "post": "create"})),
    path("returns/<str:id>", AdminReturns.as_view({"get": "retrieve", "post": "update"})),
    path("returns/<str:id>/cancel", AdminReturns.as_view({"post": "cancel"})),
    path("returns/<str:id>/request-items", AdminReturnItems.as_view({"post": "add"})),
    path(
        "returns/<str:id>/request-items/<str:action_id>",
        AdminReturnItems.as_view({"post": "change", "delete": "remove"}),
    ),
    path("returns/<str:id>/shipping-method", AdminReturnShipping.as_view({"post": "choose"})),
    path(
        "returns/<str:id>/shipping-method/<str:action_id>",
        AdminReturnShipping.as_view({"post": "change", "delete": "remove"}),
    ),
    path("returns/<str:id>/request", AdminReturnItems.as_view({"post": "confirm", "delete": "discard"})),
    path("returns/<str:id>/receive", AdminReturnReceipts.as_view({"post": "begin", "delete": "discard"})),
    path("returns/<str:id>/receive-items", AdminReturnReceipts.as_view({"post": "count_received"})),
    path(
        "returns/<str:id>/receive-items/<str:action_id>",
        AdminReturnReceipts.as_view({"post": "recount_received", "delete": "drop_received"}),
    ),
    path("returns/<str:id>/dismiss-items", AdminReturnReceipts.as_view({"post": "count_damaged"})),
    path(
        "returns/<str:id>/dismiss-items/<str:action_id>",
        AdminReturnReceipts.as_view({"post": "recount_damaged", "delete": "drop_damaged"}),
    ),
    path("returns/<str:id>/receive/confirm", AdminReturnReceipts.as_view({"post": "confirm"})),
]
pages = [
    path("orders/lookup/<str:token>", lookup_page, name="order_lookup"),
    path("orders/documents/<str:token>", document_page, name=PAGE),
    path("pay/<str:token>", payment_page, name="payment_page"),
]
hooks = [path("fulfillment/<str:provider_id>", CarrierEvents.as_view({"post": "receive"}))]
