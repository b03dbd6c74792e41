"""What is still owed for an order. No database. Source: orders.md 1.8, D9, D10."""

from typing import NamedTuple

from commerce.kit.core.money import stored
from orders.models import Order
from orders.states import OrderStatus


class Balance(NamedTuple):
    """What an order's pending difference follows from: its status, and columns of amounts in 1/10,000."""

    status: str
    total: int
    paid: int
    refunded: int
    credit_refunded: int
    allowance: int


BALANCE_COLUMNS = ("status", "total", "paid_total", "refunded_total", "credit_refunded_total", "allowance_total")
"""The columns of a Balance, in its order."""


def balance_of(order: Order) -> Balance:
    """The balance of an order, as its row has it."""
    return Balance(order.status, *(stored(getattr(order, name)) for name in BALANCE_COLUMNS[1:]))


def pending_difference(balance: Balance) -> int:
    """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing.

    What is given back as credit counts as refunded.
    """
    if balance.status == OrderStatus.CANCELED:
        return 0
    paid = balance.paid - balance.refunded - balance.credit_refunded
    return balance.total - paid - balance.allowance
