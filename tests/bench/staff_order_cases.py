"""What is measured on orders as programs of the shop use them: each order is packed once, and its payment captured."""

from tests.bench.case import Case, Facts
from tests.bench.order_cases import DATA


def _packed(facts: Facts, repetition: int) -> Facts:
    order, (first, second), _ = facts["paid_orders"][repetition]
    return {"order": order, "first": first, "second": second}


def _captured(facts: Facts, repetition: int) -> Facts:
    return {"payment": facts["paid_orders"][repetition][2]}


def _captured_remotely(facts: Facts, repetition: int) -> Facts:
    return {"payment": facts["remote_payments"][repetition]}


CASES = [
    Case("50 orders in /admin", "/admin/orders?limit=50", DATA, peer_ms=119, aim_ms=5.0, statements=8),
    Case(
        "pack 2 lines",
        "/admin/orders/{order}/fulfillments",
        DATA,
        method="POST",
        body='{"items": [{"id": "$first", "quantity": 1}, {"id": "$second", "quantity": 1}]}',
        own_facts=_packed,
        peer_ms=80,
        aim_ms=6.0,
        statements=45,
    ),
    Case(
        "capture a payment",
        "/admin/payments/{payment}/capture",
        DATA,
        method="POST",
        own_facts=_captured,
        peer_ms=26,
        aim_ms=4.0,
        statements=30,
    ),
    Case(
        "capture a payment at a remote provider",
        "/admin/payments/{payment}/capture",
        DATA,
        method="POST",
        own_facts=_captured_remotely,
        peer_ms=26,
        aim_ms=4.0,
        statements=45,
    ),
]
