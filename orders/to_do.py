"""Which orders wait for staff, by their own columns alone, so that partial indexes hold them. Source: issue 14.3."""

from django.db.models import F, Q

from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus

_LEFT_OVER = F("paid_total") + F("credit_line_total") - F("refunded_total") - F("credit_refunded_total")
"""What the customer paid and was not refunded, as in orders/summary.py."""

MAY_BE_PACKED = Q(
    status=OrderStatus.PENDING,
    fulfillment_status__in=(
        FulfillmentStatus.NOT_FULFILLED,
        FulfillmentStatus.PARTIALLY_FULFILLED,
        FulfillmentStatus.PARTIALLY_SHIPPED,
        FulfillmentStatus.PARTIALLY_DELIVERED,
    ),
)
"""Pending orders that may have units to pack. Of partly shipped ones, all units may be packed: their lines know."""

TO_CAPTURE = Q(canceled_at=None, payment_status__in=(PaymentStatus.AUTHORIZED, PaymentStatus.PARTIALLY_CAPTURED))
"""Orders with authorized money that is not captured."""

TO_REFUND = Q(
    canceled_at=None,
    item_total__lt=_LEFT_OVER + F("allowance_total") - F("shipping_total"),
    paid_total__gt=F("refunded_total") + F("credit_refunded_total") - F("credit_line_total"),
)
"""Orders whose customer is owed money: their pending difference is negative (orders/summary.py)."""

NEEDING_ATTENTION = Q(
    status=OrderStatus.PENDING,
    payment_status__in=(
        PaymentStatus.NOT_PAID,
        PaymentStatus.AWAITING,
        PaymentStatus.REQUIRES_ACTION,
        PaymentStatus.PARTIALLY_AUTHORIZED,
    ),
) | Q(
    canceled_at__isnull=False,
    paid_total__gt=F("refunded_total") + F("credit_refunded_total") - F("credit_line_total"),
)
"""Pending orders whose payment is not settled, and canceled ones whose money has not all been returned."""
