"""What is still owed for an order. Source: orders.md 1.8, D9, D10."""

from decimal import Decimal

from commerce.kit.core.money import major, stored
from orders.models import Order


def pending_difference(canceled_at: object, total: int, paid: int, refunded: int, allowance: int) -> int:
    """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing.

    The arguments are columns of the order, the amounts in any one unit. An archived order keeps its canceled_at.
    """
    return 0 if canceled_at is not None else total - (paid - refunded) - allowance


def pending_difference_of(order: Order) -> Decimal:
    """The same of an order, in major units."""
    amounts = (order.total, order.paid_total, order.refunded_total, order.allowance_total)
    return major(pending_difference(order.canceled_at, *map(stored, amounts)))
