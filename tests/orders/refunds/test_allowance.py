"""How much of a refund the customer was not owed."""

import pytest

from kit.values.timestamps import now
from orders.common.summary import Balance, pending_difference
from orders.refunds.allowance import allowance_of

PLACED = Balance(None, goods=400, shipping=50, credit=66, paid=384, refunded=0, credit_refunded=0, allowance=0)
RECEIVED = PLACED._replace(goods=292)
"""One unit of 108 was returned."""


@pytest.mark.parametrize(
    ("balance", "amount", "open_refunds", "allowance"),
    [
        (PLACED, 50, 0, 50),
        (RECEIVED, 108, 0, 0),
        (RECEIVED, 100, 0, 0),
        (RECEIVED, 150, 0, 42),
        (RECEIVED, 50, 108, 50),  # all that is owed is on its way
        (RECEIVED, 50, 80, 22),
        (RECEIVED._replace(refunded=108), 50, 0, 50),
        (PLACED._replace(goods=0), 400, 0, 0),
        (RECEIVED._replace(credit_refunded=108), 50, 0, 50),
        (PLACED._replace(allowance=50), 50, 0, 0),  # the provider declined what was granted
        (PLACED._replace(allowance=50), 60, 50, 60),
        (PLACED._replace(paid=0, credit=450), 50, 0, 50),  # paid by credit alone
        (PLACED._replace(canceled_at=now()), 384, 0, 0),
    ],
)
def test_what_exceeds_the_debt(balance: Balance, amount: int, open_refunds: int, allowance: int) -> None:
    assert allowance_of(balance, amount, open_refunds=open_refunds) == allowance


def test_a_refund_settles_what_is_owed_and_makes_no_new_debt() -> None:
    for amount in range(0, 400, 7):
        allowance = allowance_of(RECEIVED, amount, open_refunds=0)
        after = RECEIVED._replace(refunded=amount, allowance=allowance)
        assert pending_difference(after) == -max(108 - amount, 0)
