"""Payment and fulfillment: an order must be paid before it is packed, and shipping it may capture the money.

Why: docs/decisions/fulfillments.md#goods-are-packed-once-they-are-paid.
"""

from django.conf import settings

from kit.values.money import stored
from orders.common.summary import payments_due
from orders.fulfillments.errors import OrderNotPaid
from orders.models import Order
from orders.payment.order_payments import payment_state_of
from orders.states import PaymentStatus
from payments.movements.capturing import capture_of_order

ON_SHIPPING = "ship"
_PAID = frozenset({PaymentStatus.AUTHORIZED, PaymentStatus.CAPTURED})


def check_paid(order: Order) -> None:
    """Raise OrderNotPaid unless the order's total is authorized or captured, or settings.FULFILL_UNPAID allows it.

    A partial refund does not matter: the other goods still ship.
    """
    if settings.FULFILL_UNPAID or order.payment_status in _PAID:
        return
    due = payments_due(stored(order.total), stored(order.return_shipping_due))
    if order.payment_status in _NOTHING_HELD or not payment_state_of(order.pk).covers(due):
        raise OrderNotPaid(order.payment_status)


def capture_on_shipping(order_id: str) -> None:
    """Queue the capture of what is authorized, if settings.CAPTURE_ON is "ship". Callers hold the order's lock."""
    if settings.CAPTURE_ON == ON_SHIPPING:
        capture_of_order(order_id)


_NOTHING_HELD = frozenset({PaymentStatus.REFUNDED, PaymentStatus.CANCELED})
