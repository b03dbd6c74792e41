"""Everyone who has ordered: customers, and guests by their email address.

Why: docs/decisions/orders.md#a-guest-and-an-account-are-two-people.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, F, Max, OuterRef, Q, QuerySet, Subquery, Sum, When

from orders.models import Order
from orders.models.orders import ORIGINAL_CREDIT

_KNOWN = Q(erasure_requested_at=None, deleted_at=None)
_GUEST = Q(customer=None, email__isnull=False)
_CUSTOMER = Q(customer__isnull=False)
_ADDRESSES = ("shipping_address", "billing_address")


@dataclass
class Bought:
    """What a buyer ordered. names: on their orders, the latest first. totals: by currency, without canceled orders.

    An order counts as it was placed, with what gift cards and store credit paid.
    """

    orders: int = 0
    names: list[str] = field(default_factory=list)
    totals: dict[str, Decimal] = field(default_factory=dict)


def last_orders(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of the orders that are the last one of their buyer. Nobody is left whose data is erased or will be."""
    last_of_buyer = Q(_GUEST, pk=_last_of_guest()) | Q(_CUSTOMER, pk=_last_of_customer())
    return rows.filter(_KNOWN, last_of_buyer)


def last_of_buyers(found: QuerySet[Order]) -> "QuerySet[Order, Any]":
    """The keys of the last orders of those who have placed these orders."""
    last = Case(When(_GUEST, then=_last_of_guest()), default=_last_of_customer())
    return found.filter(_KNOWN).order_by().values_list(last, flat=True)


def count_buyers(*, guests: bool = True, customers: bool = True) -> int:
    """The number of buyers. A statement for each kind."""
    rows = Order.objects.filter(_KNOWN).order_by()
    kinds = {"email": _GUEST} if guests else {}
    kinds |= {"customer": _CUSTOMER} if customers else {}
    return sum(rows.filter(kind).values(column).distinct().count() for column, kind in kinds.items())


def of_buyer(order: Order) -> Q:
    """The condition of all orders of the buyer of this one."""
    theirs = Q(customer=order.customer_id) if order.customer_id else Q(_GUEST, email=order.email)
    return _KNOWN & theirs


def bought_by(buyers: Sequence[Order]) -> dict[str, Bought]:
    """What the buyers of these orders ordered, by the orders' primary keys. One statement."""
    customers = [each.customer_id for each in buyers if each.customer_id]
    emails = [each.email for each in buyers if not each.customer_id]
    theirs = Order.objects.filter(_KNOWN, Q(customer__in=customers) | Q(_GUEST, email__in=emails))
    names = [f"{address}__{name}" for address in _ADDRESSES for name in ("first_name", "last_name")]
    parts = {"placed": F("original_order_total"), "credit": ORIGINAL_CREDIT}
    sums = {name: Sum(part, filter=Q(canceled_at=None)) for name, part in parts.items()}
    found = {each.customer_id or each.email: Bought() for each in buyers}
    rows = theirs.order_by().values_list("customer_id", "email", "currency_id", *names)
    summed = rows.annotate(
        Count("pk"), last=Max("created_at"), **{f"sum_of_{name}": each for name, each in sums.items()}
    ).order_by("-last")
    for customer_id, email, currency, *texts, orders, _, paid, credit in summed:
        bought = found[customer_id or email]
        bought.orders += orders
        if paid is not None:
            bought.totals[currency] = bought.totals.get(currency, Decimal()) + paid + credit
        name = _name(texts[:2]) or _name(texts[2:])
        if name and name not in bought.names:
            bought.names.append(name)
    return {each.pk: found[each.customer_id or each.email] for each in buyers}


def _last_of_guest() -> Subquery:
    return _last(Order.objects.filter(customer=None, email=OuterRef("email")))


def _last_of_customer() -> Subquery:
    return _last(Order.objects.filter(customer=OuterRef("customer")))


def _last(orders: QuerySet[Order]) -> Subquery:
    return Subquery(orders.filter(_KNOWN).order_by("-created_at", "-pk").values("pk")[:1])


def _name(texts: Iterable[str | None]) -> str:
    return " ".join(filter(None, texts))
