"""What is still owed for an order. Why: docs/decisions/orders.md#a-total-is-never-negative."""

from decimal import Decimal
from typing import NamedTuple

from django.conf import settings

from kit.reads.sql.keyed_rows import KeyedRows
from kit.values.money import major, stored
from orders.models import Order


class Balance(NamedTuple):
    """What an order's pending difference follows from: when it was canceled, and columns of amounts in 1/10,000."""

    canceled_at: object
    goods: int
    shipping: int
    credit: int
    paid: int
    refunded: int
    credit_refunded: int
    allowance: int
    requested: int = 0
    shipping_due: int = 0
    agreed: int = 0


BALANCE_COLUMNS = (
    *("canceled_at", "item_total", "shipping_total", "credit_line_total"),
    *("paid_total", "refunded_total", "credit_refunded_total", "allowance_total"),
    *("requested_return_total", "return_shipping_due", "agreed_return_total"),
)
"""The columns of a Balance, in its order."""


BALANCES = KeyedRows(Order.objects.all, key="id", row=Balance, columns=BALANCE_COLUMNS)


def balance_of(order: Order) -> Balance:
    """The balance from the columns of an order."""
    return Balance(order.canceled_at, *(stored(getattr(order, name)) for name in BALANCE_COLUMNS[1:]))


def pending_difference_of(order: Order) -> Decimal:
    """What the customer of an order still owes, in major units."""
    return major(pending_difference(balance_of(order)))


def pending_difference(balance: Balance) -> int:
    """What the customer still owes; negative for what is owed to the customer. A canceled order owes nothing.

    Amounts that gift cards and store credit paid or were refunded count, too.
    """
    if balance.canceled_at is not None:
        return 0
    paid = kept(balance)
    return max(worth(balance) - paid - balance.allowance, -max(paid, 0))


def kept(balance: Balance) -> int:
    """What payments, gift cards and store credit have paid and were not refunded."""
    return balance.paid + balance.credit - balance.refunded - balance.credit_refunded


def worth(balance: Balance) -> int:
    """The order's value after the returns that count: requested or received ones, by settings.RETURN_COUNTS.

    Those of exchanges and claims, which are agreed, always count. The shipping of a return counts with it.
    Why: docs/decisions/returns.md#returned-goods-are-owed-once-they-are-received.
    """
    is_early = settings.RETURN_COUNTS == "requested"
    less = balance.requested if is_early else balance.agreed + balance.shipping_due
    return balance.goods + balance.shipping - less


def outstanding(difference: int, held: int) -> int:
    """What the customer still has to agree to pay, in any one unit.

    difference: the pending difference. held: what payments have authorized and not captured, which pays for it.
    """
    return max(difference - held, 0)


def payments_due(total: int, return_shipping_due: int, agreed_return_total: int) -> int:
    """What payments have to cover, from an order's columns: its total, without agreed returns and waiting shipping.

    Why: docs/decisions/orders.md#payments-are-due-by-the-total.
    """
    return max(total - return_shipping_due - agreed_return_total, 0)


def total_to_pay(goods: int, shipping: int, credit: int) -> int:
    """What payments have to pay: goods that were kept, and shipping, without what credit lines paid; never negative."""
    return max(goods + shipping - credit, 0)
