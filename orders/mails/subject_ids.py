"""What the emails to the customer of an order are about."""

from typing import Any

from django.db.models import QuerySet

from orders.models import Fulfillment, Invoice, Order, OrderChange, PaymentLink, RefundPart, Return


def abouts_of(order_id: str) -> "QuerySet[Any, Any]":
    """The ids of the order and its fulfillments, edits, returns, payment links, invoices and refunds: a subquery."""
    return (
        Order.objects.filter(pk=order_id)
        .order_by()
        .values("pk")
        .union(
            Fulfillment.objects.filter(order=order_id).order_by().values("pk"),
            OrderChange.objects.filter(order=order_id).order_by().values("pk"),
            Return.objects.filter(order=order_id).order_by().values("pk"),
            RefundPart.objects.filter(refund__order=order_id).order_by().values("pk"),
            PaymentLink.objects.filter(order=order_id).order_by().values("pk"),
            Invoice.objects.filter(order=order_id).order_by().values("pk"),
            all=True,
        )
    )
