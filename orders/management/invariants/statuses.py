"""The invariants of an order's two statuses: each follows from the order's payments, or from the counters of its lines.

The tables of orders/payment/payment_status.py and orders/fulfillments/status.py are repeated here in SQL: a status that
these calculate wrongly is found as well. Each statement reads every table once and joins the sums, so that its time
grows in proportion to the number of orders. `manage.py verify_ledger` checks them.
Why: docs/decisions/orders.md#invariants-compute-statuses-independently.
"""

from functools import partial

from django.db.models.query import RawQuerySet

from kit.domain.invariants import Invariant
from orders.models import Order

_MONEY = """
    SELECT order_id, sum(authorized_amount) AS authorized,
        sum(captured_amount - returned_amount) AS captured,
        sum(CASE WHEN refunded_amount > returned_amount THEN refunded_amount - returned_amount ELSE 0 END) AS refunded
    FROM payments_paymentcollection WHERE order_id IS NOT NULL AND deleted_at IS NULL GROUP BY order_id
"""
_WAITING = """
    SELECT collection.order_id, max(CASE session.status WHEN 'requires_more' THEN 1 ELSE 0 END) AS needs_customer
    FROM payments_paymentsession AS session
    JOIN payments_paymentcollection AS collection ON collection.id = session.collection_id
    WHERE session.status IN ('requires_more', 'pending', 'pending_authorization') AND collection.order_id IS NOT NULL
    GROUP BY collection.order_id
"""
_PAID = f"""
    SELECT orders_order.id, display_id, canceled_at, payment_status,
        total - return_shipping_due - agreed_return_total AS due, needs_customer,
        coalesce(authorized, 0) AS authorized, coalesce(captured, 0) AS captured, coalesce(refunded, 0) AS refunded
    FROM orders_order
    LEFT JOIN ({_MONEY}) AS money ON money.order_id = orders_order.id
    LEFT JOIN ({_WAITING}) AS waiting ON waiting.order_id = orders_order.id
"""  # noqa: S608 - names of our own
_PAYMENT = f"""
    SELECT id, display_id, payment_status, CASE
        WHEN canceled_at IS NOT NULL AND captured = 0 THEN 'canceled'
        WHEN captured > 0 AND refunded >= captured THEN 'refunded'
        WHEN refunded > 0 THEN 'partially_refunded'
        WHEN captured >= due THEN 'captured'
        WHEN captured > 0 THEN 'partially_captured'
        WHEN needs_customer = 1 THEN 'requires_action'
        WHEN authorized >= due THEN 'authorized'
        WHEN authorized > 0 THEN 'partially_authorized'
        WHEN needs_customer = 0 THEN 'awaiting'
        ELSE 'not_paid' END AS found
    FROM ({_PAID}) AS paid
"""  # noqa: S608 - names of our own
_LINES = """
    SELECT order_id, requires_shipping, quantity, fulfilled_quantity AS fulfilled, shipped_quantity AS shipped,
        delivered_quantity AS delivered, quantity - CASE
            WHEN return_received_quantity + return_dismissed_quantity > shipped_quantity
                AND return_received_quantity + return_dismissed_quantity > delivered_quantity
            THEN return_received_quantity + return_dismissed_quantity
                - CASE WHEN shipped_quantity > delivered_quantity THEN shipped_quantity ELSE delivered_quantity END
            ELSE 0 END AS leaving, delivered_quantity + CASE
            WHEN delivered_quantity >= shipped_quantity THEN 0
            WHEN written_off_quantity < shipped_quantity - delivered_quantity THEN written_off_quantity
            ELSE shipped_quantity - delivered_quantity END AS arrived
    FROM orders_orderlineitem WHERE deleted_at IS NULL
"""
_PROGRESS = f"""
    SELECT order_id, max(fulfilled) AS fulfilled, max(shipped) AS shipped, max(delivered) AS delivered,
        min(CASE WHEN fulfilled >= quantity THEN 1 ELSE 0 END) AS is_fulfilled,
        min(CASE WHEN shipped >= leaving OR (NOT requires_shipping AND fulfilled >= quantity) THEN 1 ELSE 0 END)
            AS is_shipped,
        min(CASE WHEN arrived >= leaving OR (NOT requires_shipping AND fulfilled >= quantity) THEN 1 ELSE 0 END)
            AS is_delivered
    FROM ({_LINES}) AS line GROUP BY order_id
"""  # noqa: S608 - names of our own
_FULFILLMENT = f"""
    SELECT orders_order.id, display_id, fulfillment_status, CASE
        WHEN canceled_at IS NOT NULL THEN 'canceled'
        WHEN delivered > 0 THEN CASE is_delivered WHEN 1 THEN 'delivered' ELSE 'partially_delivered' END
        WHEN shipped > 0 THEN CASE is_shipped WHEN 1 THEN 'shipped' ELSE 'partially_shipped' END
        WHEN fulfilled > 0 THEN CASE is_fulfilled WHEN 1 THEN 'fulfilled' ELSE 'partially_fulfilled' END
        ELSE 'not_fulfilled' END AS found
    FROM orders_order LEFT JOIN ({_PROGRESS}) AS progress ON progress.order_id = orders_order.id
"""  # noqa: S608 - names of our own


def _wrong(column: str, compared: str) -> RawQuerySet[Order]:
    sql = f"SELECT * FROM ({compared}) AS compared WHERE {column} <> found ORDER BY display_id"  # noqa: S608 - names of our own
    return Order.objects.raw(sql)


STATUS_INVARIANTS = (
    Invariant(
        partial(_wrong, "payment_status", _PAYMENT),
        "Order {display_id} has the payment status {payment_status}, but its payments make it {found}",
    ),
    Invariant(
        partial(_wrong, "fulfillment_status", _FULFILLMENT),
        "Order {display_id} has the fulfillment status {fulfillment_status}, but its lines make it {found}",
    ),
)
