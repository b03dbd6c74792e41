"""What is still owed for an order. Source: orders.md 1.8, D8, D9, D10."""

from orders.states import OrderStatus


def total_to_pay(goods: int, shipping: int, credit: int) -> int:
    """What payments have to pay: goods that were kept, and shipping, without what credit lines paid; never negative."""
    return max(goods + shipping - credit, 0)


def pending_difference(
    status: str, goods: int, shipping: int, credit: int, paid: int, refunded: int, allowance: int
) -> int:
    """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing.

    goods: those that were kept. credit: what gift cards and store credit paid; it is owed if those goods come to less.
    The amounts are columns of the order, in any one unit.
    """
    return 0 if status == OrderStatus.CANCELED else goods + shipping - credit - (paid - refunded) - allowance
