"""How much of a refund is an allowance: a part that was not owed to the customer. No database. Source: orders.md D9.

What is owed follows from the order's pending difference, so that an allowance keeps the customer from owing again what
the shop has given back.
"""

from orders.summary import Balance, pending_difference


def allowance_of(balance: Balance, amount: int, *, open_refunds: int) -> int:
    """How much of a new refund exceeds what is owed. open_refunds: what is owed and already on its way.

    Of a canceled order, all that was paid is owed.
    """
    if balance.canceled_at is not None:
        return 0
    owed = -pending_difference(balance) - open_refunds
    return max(amount - max(owed, 0), 0)
