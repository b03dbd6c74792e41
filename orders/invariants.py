"""The invariants of orders, which `manage.py verify_ledger` checks with those of gift cards and store credit.

Their messages name orders by their numbers, since the ids of orders and carts are secret.
"""

from orders.claim_invariants import CLAIM_INVARIANTS
from orders.fulfillment_invariants import FULFILLMENT_INVARIANTS
from orders.money_invariants import MONEY_INVARIANTS
from orders.refund_invariants import REFUND_INVARIANTS
from orders.return_invariants import RETURN_INVARIANTS

ORDER_INVARIANTS = (
    *MONEY_INVARIANTS,
    *REFUND_INVARIANTS,
    *CLAIM_INVARIANTS,
    *FULFILLMENT_INVARIANTS,
    *RETURN_INVARIANTS,
)
