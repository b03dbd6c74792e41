"""How much of a refund is an allowance, a part that was not owed to the customer. No database.

The order's pending difference subtracts allowances: without them, the customer would owe the refunded amount again.
Why: docs/decisions/refunds.md#refunds-beyond-what-is-owed-are-allowances.
"""

from orders.common.summary import Balance, pending_difference


def allowance_of(balance: Balance, amount: int, *, open_refunds: int) -> int:
    """How much of a new refund exceeds what is owed. open_refunds: refunds that providers have not reported yet.

    For a canceled order it is 0: all that was paid is owed.
    """
    if balance.canceled_at is not None:
        return 0
    owed = -pending_difference(balance) - open_refunds
    return max(amount - max(owed, 0), 0)
