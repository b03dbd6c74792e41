"""The money of a confirmed change: what is owed is asked for, and what is held too much is released.

Nothing is refunded. Why: docs/decisions/order-changes.md#a-confirmed-change-refunds-nothing.
"""

from contextlib import suppress

from orders.common.summary import balance_of, outstanding, pending_difference
from orders.models import Order
from orders.payment.order_payments import follow_payments, payment_state_of
from orders.states import InvoiceReason
from payments.errors import CollectionPaid
from payments.lifecycle.order_collection import open_for_order


def settle(order: Order, *, pending_difference: int, difference: int, is_mailed: bool = True) -> None:
    """Have the order's unpaid collection ask for what is outstanding, and the payment status follow.

    pending_difference, difference: see `ComputedOrder`. A change that costs nothing asks for nothing.
    While a payment is announced for the unpaid collection, that stays as it is.
    is_mailed: whether the customer gets emails about the documents.
    """
    owed = outstanding(pending_difference, payment_state_of(order.pk).held)
    if owed and difference:
        with suppress(CollectionPaid):
            open_for_order(order.pk, amount=owed, currency_code=order.currency_id)
    follow_payments(order.pk, reason=InvoiceReason.CHANGE, is_mailed=is_mailed)


def settle_as_written(order_id: str) -> None:
    """The same for the columns that the locked order has. One statement more."""
    order: Order = Order.objects.get(pk=order_id)
    owed = pending_difference(balance_of(order))
    settle(order, pending_difference=owed, difference=owed)
