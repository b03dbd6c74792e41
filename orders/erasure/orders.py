"""Erasing orders with their payments, and what refers to either."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain

from django.conf import settings
from django.db import transaction

from kit.values.timestamps import now
from orders.erasure.carts import erase_payments
from orders.erasure.collections import carts_by_collection
from orders.erasure.order_parts import erase_orders
from orders.erasure.traces import erase_history, erase_mails, erase_results
from orders.models import (
    Fulfillment,
    Invoice,
    Order,
    OrderChange,
    OrderLookup,
    OrderTransfer,
    PaymentLink,
    RefundPart,
    Return,
)
from orders.reports.export import files
from payments.models import Payment, PaymentSession


def is_due(order: Order) -> bool:
    """Whether the order's retention time has passed. Staff may have added texts to an erased order since."""
    return bool(order.created_at <= last_due())


def last_due() -> datetime:
    """The latest creation time for which the retention time has passed."""
    return now() - timedelta(days=settings.ERASURE_RETENTION_DAYS)


def erase_orders_with_payments(orders: Sequence[Order]) -> set[str]:
    """Erase the locked orders, except stored responses; returns the names by which those are found.

    The number of statements does not depend on the number of orders. Exported files are deleted on commit.
    """
    if not orders:
        return set()
    order_ids, cart_ids = [order.pk for order in orders], [order.cart_id for order in orders]
    names = {*order_ids, *cart_ids, *_ids_of_parts(order_ids, cart_ids)}
    emails = {order.email for order in orders if order.email}
    erase_payments(cart_ids)
    erase_orders(order_ids)
    erase_mails(names)
    erase_history(names)
    erase_results(set(order_ids))  # of jobs that ran since the erasure was requested
    transaction.on_commit(files.discard_all)
    return names | emails


def _ids_of_parts(order_ids: Sequence[str], cart_ids: Sequence[str]) -> Iterator[str]:
    """The ids of related rows that have their own history, emails or routes."""
    collection_ids = list(carts_by_collection(cart_ids))
    rows = (
        OrderTransfer.objects.filter(order__in=order_ids),
        OrderLookup.objects.filter(order__in=order_ids),
        OrderChange.objects.filter(order__in=order_ids),
        PaymentLink.objects.filter(order__in=order_ids),
        Fulfillment.objects.filter(order__in=order_ids),
        Return.objects.filter(order__in=order_ids),
        Invoice.objects.filter(order__in=order_ids),
        RefundPart.objects.filter(refund__order__in=order_ids),
        PaymentSession.objects.filter(collection__in=collection_ids),
        Payment.objects.filter(collection__in=collection_ids),
    )
    return chain(collection_ids, *(each.values_list("pk", flat=True) for each in rows))
