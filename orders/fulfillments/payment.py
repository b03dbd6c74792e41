"""Payment and fulfillment: an order must be paid before it is packed, and shipping it may capture the money.

Why: docs/decisions/fulfillments.md#goods-are-packed-once-they-are-paid.
"""

from django.conf import settings

from kit.values.money import major, rounded
from orders.common.outstanding import outstanding_of
from orders.common.summary import balance_of, kept
from orders.fulfillments.errors import OrderNotPaid
from orders.models import Order
from orders.states import PaymentStatus
from payments.movements.capturing import capture_of_order

ON_SHIPPING = "ship"


def check_paid(order: Order) -> None:
    """Raise OrderNotPaid while anything is outstanding of the order, unless settings.FULFILL_UNPAID allows it.

    A partial refund does not matter: the other goods still ship, but nothing ships once all of it is refunded.
    """
    if settings.FULFILL_UNPAID:
        return
    left, status = outstanding_of(order), order.payment_status
    is_refunded = status == PaymentStatus.REFUNDED and kept(balance_of(order)) <= 0
    if left or is_refunded or status == PaymentStatus.CANCELED:
        raise OrderNotPaid(status, rounded(major(left), order.currency_id), order.currency_id)


def capture_on_shipping(order_id: str) -> None:
    """Queue the capture of what is authorized, if settings.CAPTURE_ON is "ship". Callers hold the order's lock."""
    if settings.CAPTURE_ON == ON_SHIPPING:
        capture_of_order(order_id)
