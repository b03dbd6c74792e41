"""What is still owed for an order. Source: orders.md 1.8, D9, D10."""

from orders.states import OrderStatus


def pending_difference(status: str, total: int, paid: int, refunded: int, allowance: int) -> int:
    """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing.

    The amounts are columns of the order, in any one unit.
    """
    return 0 if status == OrderStatus.CANCELED else total - (paid - refunded) - allowance
