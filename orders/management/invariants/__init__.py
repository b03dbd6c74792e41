"""The invariants of orders, which `manage.py verify_ledger` checks with those of gift cards and store credit.

Their messages name orders by their numbers, since the ids of orders and carts are secret.
"""

from orders.management.invariants.bought_cards import BOUGHT_CARD_INVARIANTS
from orders.management.invariants.claims import CLAIM_INVARIANTS
from orders.management.invariants.collections import COLLECTION_INVARIANTS
from orders.management.invariants.counts import COUNT_INVARIANTS
from orders.management.invariants.fulfillments import FULFILLMENT_INVARIANTS
from orders.management.invariants.invoices import INVOICE_INVARIANTS
from orders.management.invariants.money import MONEY_INVARIANTS
from orders.management.invariants.refunds import REFUND_INVARIANTS
from orders.management.invariants.reports import REPORT_INVARIANTS
from orders.management.invariants.reservations import RESERVATION_INVARIANTS
from orders.management.invariants.returns import RETURN_INVARIANTS
from orders.management.invariants.statuses import STATUS_INVARIANTS

ORDER_INVARIANTS = (
    *MONEY_INVARIANTS,
    *COLLECTION_INVARIANTS,
    *REFUND_INVARIANTS,
    *BOUGHT_CARD_INVARIANTS,
    *CLAIM_INVARIANTS,
    *RESERVATION_INVARIANTS,
    *FULFILLMENT_INVARIANTS,
    *RETURN_INVARIANTS,
    *INVOICE_INVARIANTS,
    *STATUS_INVARIANTS,
    *COUNT_INVARIANTS,
    *REPORT_INVARIANTS,
)
