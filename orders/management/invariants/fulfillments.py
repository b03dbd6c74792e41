"""The invariants of fulfillments: each counter of a line is the sum of the units of its uncanceled fulfillments.

Each has a query for its violations; `manage.py verify_ledger` checks them (orders/management/invariants/__init__.py).
"""

from functools import partial

from django.db.models import Count, Exists, F, Model, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from kit.domain.invariants import Invariant
from orders.models import FulfillmentItem, Order, OrderLineItem


def _wrong_counters(counter: str, **reached: object) -> QuerySet[Model]:
    """Lines whose counter is not the sum of their fulfillments' units. reached: which fulfillments count.

    A kit has several rows with the same units for one line; only the first counts.
    """
    earlier = FulfillmentItem.objects.filter(
        fulfillment=OuterRef("fulfillment"), line_item=OuterRef("line_item"), pk__lt=OuterRef("pk")
    )
    rows = FulfillmentItem.objects.filter(line_item=OuterRef("pk"), fulfillment__canceled_at=None, **reached)
    units = rows.exclude(Exists(earlier)).order_by().values("line_item").annotate(sum=Sum("units")).values("sum")
    lines: QuerySet[Model] = OrderLineItem.objects.annotate(
        held=Coalesce(Subquery(units), Value(0)), counted=F(counter), number=F("order__display_id")
    )
    return lines.exclude(counted=F("held"))


def _wrong_fulfillment_counts() -> QuerySet[Model]:
    orders: QuerySet[Model] = Order.objects.annotate(made=Count("fulfillments"))
    return orders.exclude(fulfillment_count=F("made"))


_HELD = "but its fulfillments hold {held}"
FULFILLMENT_INVARIANTS = (
    Invariant(
        partial(_wrong_counters, "fulfilled_quantity"),
        f"Line {{id}} of order {{number}} counts {{counted}} units fulfilled, {_HELD}",
    ),
    Invariant(
        partial(_wrong_counters, "shipped_quantity", fulfillment__shipped_at__isnull=False),
        f"Line {{id}} of order {{number}} counts {{counted}} units shipped, {_HELD}",
    ),
    Invariant(
        partial(_wrong_counters, "delivered_quantity", fulfillment__delivered_at__isnull=False),
        f"Line {{id}} of order {{number}} counts {{counted}} units delivered, {_HELD}",
    ),
    Invariant(_wrong_fulfillment_counts, "Order {display_id} counts {fulfillment_count} fulfillments, but has {made}"),
)
