"""The invariants of returns: a line's counters are the sums of its returns, its totals are of the units that were kept.

Each has a query for its violations; `manage.py verify_ledger` checks them (orders/management/invariants/__init__.py).
Why: docs/decisions/returns.md#totals-of-a-line-cover-the-units-that-were-kept.
"""

from functools import partial

from django.db.models import ExpressionWrapper, F, Model, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from kit.domain.invariants import Invariant
from kit.values.money import MoneyField
from orders.models import Order, OrderLineItem, Return, ReturnItem
from orders.states import ReturnStatus

_EXPECTED = (ReturnStatus.REQUESTED, ReturnStatus.PARTIALLY_RECEIVED)


def _wrong_counters(counter: str, quantity: Combinable, **counted: object) -> QuerySet[Model]:
    """Lines whose counter is not the sum of the quantity over their returns. counted: which returns count."""
    rows = ReturnItem.objects.not_deleted().filter(item=OuterRef("pk"), of_return__deleted_at=None, **counted)
    units = rows.order_by().values("item").annotate(sum=Sum(quantity)).values("sum")
    lines: QuerySet[Model] = OrderLineItem.objects.annotate(
        held=Coalesce(Subquery(units), Value(0)), counted=F(counter), number=F("order__display_id")
    )
    return lines.exclude(counted=F("held"))


def _lines() -> QuerySet[Model]:
    lines: QuerySet[Model] = OrderLineItem.objects.annotate(
        number=F("order__display_id"),
        returned=F("return_received_quantity") + F("return_dismissed_quantity"),
        left=F("quantity") - F("returned") - F("return_requested_quantity"),
    )
    return lines


def _wrong_totals() -> QuerySet[Model]:
    """Lines whose units were all kept, but whose total is not the placed one; or all returned, and it is not 0."""
    kept = Q(returned=0) & ~Q(total=F("placed_total"))
    gone = Q(returned=F("quantity")) & ~Q(total=0)
    return _lines().filter(kept | gone | Q(total__gt=F("placed_total")))


def _wrong_refundable_totals() -> QuerySet[Model]:
    """Lines without a requested return whose refundable total is not their total; or with one, and it is more."""
    unequal = Q(return_requested_quantity=0) & ~Q(refundable_total=F("total"))
    return _lines().filter(unequal | Q(refundable_total__gt=F("total")))


def _wrong_refundable_units() -> QuerySet[Model]:
    """Lines whose next unit refunds more than all that are left, or not all of it though it is the only one."""
    none = Q(left=0) & ~Q(refundable_total=0, refundable_total_per_unit=0)
    last = Q(left=1) & ~Q(refundable_total_per_unit=F("refundable_total"))
    outside = Q(refundable_total_per_unit__lt=0) | Q(refundable_total_per_unit__gt=F("refundable_total"))
    return _lines().filter(none | last | outside)


def _wrong_statuses() -> QuerySet[Model]:
    """Returns whose status does not follow from the quantities of their items."""
    items = ReturnItem.objects.filter(of_return=OuterRef("pk")).order_by().values("of_return")
    back, wanted = (
        Coalesce(Subquery(items.annotate(sum=Sum(quantity)).values("sum")), Value(0))
        for quantity in (F("received_quantity") + F("damaged_quantity"), F("quantity"))
    )
    nothing = (ReturnStatus.OPEN, ReturnStatus.REQUESTED, ReturnStatus.CANCELED)
    returns: QuerySet[Model] = Return.objects.not_deleted().annotate(
        back=back, wanted=wanted, number=F("order__display_id")
    )
    return returns.exclude(
        Q(status__in=nothing, back=0)
        | Q(status=ReturnStatus.PARTIALLY_RECEIVED, back__gt=0, back__lt=F("wanted"))
        | Q(status=ReturnStatus.RECEIVED, back__gt=0, back=F("wanted"))
    )


def _wrong_requested_totals() -> QuerySet[Model]:
    """Orders whose total of requested returns differs from the sum over their lines."""
    units = ExpressionWrapper(F("items__total") - F("items__refundable_total"), output_field=MoneyField())
    orders: QuerySet[Model] = Order.objects.annotate(held=Sum(units, filter=Q(items__deleted_at=None), default=0))
    return orders.exclude(requested_return_total=F("held"))


def _wrong_agreed_totals() -> QuerySet[Model]:
    """Orders whose total of agreed returns is not that of their lines: exact but for lines with both sorts of units."""
    units = ExpressionWrapper(F("items__total") - F("items__refundable_total"), output_field=MoneyField())
    living = Q(items__deleted_at=None, items__return_agreed_quantity__gt=0)
    alone = living & Q(items__return_agreed_quantity=F("items__return_requested_quantity"))
    orders: QuerySet[Model] = Order.objects.annotate(
        least=Sum(units, filter=alone, default=0), most=Sum(units, filter=living, default=0)
    )
    return orders.exclude(agreed_return_total__gte=F("least"), agreed_return_total__lte=F("most"))


def _wrong_shipping() -> QuerySet[Model]:
    """Orders whose return shipping that does not count yet differs from the sum over their requested returns."""
    waiting = Q(
        shipping_methods__deleted_at=None,
        shipping_methods__of_return__status=ReturnStatus.REQUESTED,
        shipping_methods__of_return__change=None,
    )
    orders: QuerySet[Model] = Order.objects.annotate(held=Sum("shipping_methods__total", filter=waiting, default=0))
    return orders.exclude(return_shipping_due=F("held"))


_HELD = "but its returns hold {held}"
RETURN_INVARIANTS = (
    Invariant(
        partial(
            _wrong_counters,
            "return_requested_quantity",
            F("quantity") - F("received_quantity") - F("damaged_quantity"),
            of_return__status__in=_EXPECTED,
        ),
        f"Line {{id}} of order {{number}} counts {{counted}} units requested for return, {_HELD}",
    ),
    Invariant(
        partial(
            _wrong_counters,
            "return_agreed_quantity",
            F("quantity") - F("received_quantity") - F("damaged_quantity"),
            of_return__status__in=_EXPECTED,
            of_return__change__isnull=False,
        ),
        f"Line {{id}} of order {{number}} counts {{counted}} agreed units requested for return, {_HELD}",
    ),
    Invariant(
        partial(_wrong_counters, "written_off_quantity", F("damaged_quantity"), of_return__is_written_off=True),
        f"Line {{id}} of order {{number}} counts {{counted}} units written off, {_HELD}",
    ),
    Invariant(
        partial(_wrong_counters, "return_received_quantity", F("received_quantity")),
        f"Line {{id}} of order {{number}} counts {{counted}} returned units received, {_HELD}",
    ),
    Invariant(
        partial(_wrong_counters, "return_dismissed_quantity", F("damaged_quantity")),
        f"Line {{id}} of order {{number}} counts {{counted}} returned units dismissed, {_HELD}",
    ),
    Invariant(
        _wrong_totals,
        "Line {id} of order {number} has a total of {total} with {returned} of {quantity} units returned, but was "
        "placed with {placed_total}",
    ),
    Invariant(
        _wrong_refundable_totals,
        "Line {id} of order {number} can be refunded {refundable_total} of {total} with {return_requested_quantity} "
        "units requested for return",
    ),
    Invariant(
        _wrong_refundable_units,
        "Line {id} of order {number} refunds {refundable_total_per_unit} for the next of {left} units, but "
        "{refundable_total} for all of them",
    ),
    Invariant(
        _wrong_requested_totals,
        "Order {display_id} has {requested_return_total} of requested returns, but its lines hold {held}",
    ),
    Invariant(
        _wrong_agreed_totals,
        "Order {display_id} has {agreed_return_total} of agreed returns, but its lines hold {least} to {most}",
    ),
    Invariant(
        _wrong_shipping,
        "Order {display_id} has {return_shipping_due} of return shipping that does not count yet, but its returns hold "
        "{held}",
    ),
    Invariant(_wrong_statuses, "Return {id} of order {number} is {status} with {back} of {wanted} units received"),
)
