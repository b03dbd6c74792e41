"""What is still owed for an order. Source: orders.md 1.8, D8, D9, D10."""

from decimal import Decimal

from commerce.kit.core.money import major, stored
from orders.models import Order


def total_to_pay(goods: int, shipping: int, credit: int) -> int:
    """What payments have to pay: goods that were kept, and shipping, without what credit lines paid; never negative."""
    return max(goods + shipping - credit, 0)


def pending_difference(canceled_at: object, *amounts: int) -> int:
    """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing.

    amounts: columns of the order, in any one unit: the goods that were kept, shipping, what credit lines paid, what
    payments paid, refunds, allowance. If goods come to less than credit has paid, the rest is owed to the customer.
    """
    goods, shipping, credit, paid, refunded, allowance = amounts
    return 0 if canceled_at is not None else goods + shipping - credit - (paid - refunded) - allowance


def pending_difference_of(order: Order) -> Decimal:
    """The same of an order, in major units."""
    goods, shipping, credit = order.item_total, order.shipping_total, order.credit_line_total
    amounts = (goods, shipping, credit, order.paid_total, order.refunded_total, order.allowance_total)
    return major(pending_difference(order.canceled_at, *map(stored, amounts)))
