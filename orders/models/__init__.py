"""Orders, with payments, changes, fulfillments, refunds and returns; attempts; transfers; lookups; reasons."""

from orders.models.attempts import CompletionAttempt
from orders.models.buyers import Buyer
from orders.models.carrier_requests import CarrierRequest
from orders.models.charges import (
    OrderCreditLine,
    OrderPromotion,
    OrderShippingMethod,
    OrderShippingMethodAdjustment,
    OrderShippingMethodTaxLine,
    OrderTransaction,
)
from orders.models.counts import OrderCount, OrderRangeCount
from orders.models.drafts import DraftOrder
from orders.models.fulfillments import CarrierEvent, Fulfillment, FulfillmentItem, FulfillmentLabel
from orders.models.gift_card_lines import GiftCardLineItem
from orders.models.invoices import Invoice, InvoiceFile, InvoiceLine, InvoiceNumber, InvoiceTax
from orders.models.items import OrderAdjustment, OrderLineItem, OrderTaxLine
from orders.models.lookups import OrderLookup
from orders.models.notes import OrderNote
from orders.models.order_changes import OrderChange, OrderChangeAction
from orders.models.orders import Order, OrderAddress, OrderNumber
from orders.models.payment_links import PaymentLink
from orders.models.payments import (
    OrderCapture,
    OrderPayment,
    OrderPaymentCollection,
    OrderPaymentSession,
    OrderRefund,
)
from orders.models.refunds import GrantedRefund, RefundPart
from orders.models.return_reasons import ReturnReason
from orders.models.returns import Return, ReturnItem
from orders.models.search_entries import OrderSearch
from orders.models.transfers import OrderTransfer

__all__ = [
    "Buyer",
    "CarrierEvent",
    "CarrierRequest",
    "CompletionAttempt",
    "DraftOrder",
    "Fulfillment",
    "FulfillmentItem",
    "FulfillmentLabel",
    "GiftCardLineItem",
    "GrantedRefund",
    "Invoice",
    "InvoiceFile",
    "InvoiceLine",
    "InvoiceNumber",
    "InvoiceTax",
    "Order",
    "OrderAddress",
    "OrderAdjustment",
    "OrderCapture",
    "OrderChange",
    "OrderChangeAction",
    "OrderCount",
    "OrderCreditLine",
    "OrderLineItem",
    "OrderLookup",
    "OrderNote",
    "OrderNumber",
    "OrderPayment",
    "OrderPaymentCollection",
    "OrderPaymentSession",
    "OrderPromotion",
    "OrderRangeCount",
    "OrderRefund",
    "OrderSearch",
    "OrderShippingMethod",
    "OrderShippingMethodAdjustment",
    "OrderShippingMethodTaxLine",
    "OrderTaxLine",
    "OrderTransaction",
    "OrderTransfer",
    "PaymentLink",
    "RefundPart",
    "Return",
    "ReturnItem",
    "ReturnReason",
]
