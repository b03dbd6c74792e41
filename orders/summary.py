"""What is still owed for an order. Source: orders.md 1.8, D8, D9, D10."""

from orders.states import OrderStatus


def total_to_pay(goods: int, shipping: int, credit: int) -> int:
    """What payments have to pay: goods that were kept, and shipping, without what credit lines paid; never negative."""
    return max(goods + shipping - credit, 0)


def pending_difference(status: str, *amounts: int) -> int:
    """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing.

    amounts: columns of the order, in any one unit: the goods that were kept, shipping, what credit lines paid, what
    payments paid, refunds, allowance. If goods come to less than credit has paid, the rest is owed to the customer.
    """
    goods, shipping, credit, paid, refunded, allowance = amounts
    return 0 if status == OrderStatus.CANCELED else goods + shipping - credit - (paid - refunded) - allowance
