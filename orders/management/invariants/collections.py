"""The invariants of what is asked of an order besides its cart: once, and no more than what is outstanding."""

from typing import Any

from django.conf import settings
from django.db.models import Count, ExpressionWrapper, F, Model, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from kit.domain.invariants import Invariant
from kit.values.money import MoneyField
from orders.models import Order
from orders.models.orders import UNCOUNTED, difference
from payments.models import PaymentCollection
from payments.states import UNPAID

_WITHOUT_CART = Q(cart=None, status__in=UNPAID, authorized_amount=0)


def _asked(*conditions: Q) -> QuerySet[Any]:
    rows: QuerySet[Any] = PaymentCollection.objects.not_deleted().filter(*conditions, order_id=OuterRef("pk"))
    return rows.order_by().values("order_id")


def _owing() -> QuerySet[Model]:
    """Orders with such collections: their number, what these ask for, and what is outstanding."""
    unpaid = _asked(_WITHOUT_CART)
    held = _asked().annotate(sum=Sum(F("authorized_amount") - F("captured_amount"))).values("sum")
    less = ("agreed_return_total",) if settings.RETURN_COUNTS == "requested" else UNCOUNTED
    ids = PaymentCollection.objects.not_deleted().filter(_WITHOUT_CART).values("order_id")
    counted = Order.objects.filter(canceled_at=None, pk__in=ids).annotate(
        number=Subquery(unpaid.annotate(number=Count("pk")).values("number")),
        asked=Subquery(unpaid.annotate(sum=Sum("amount")).values("sum"), output_field=MoneyField()),
        held=Coalesce(Subquery(held), Value(0), output_field=MoneyField()),
    )
    left = ExpressionWrapper(difference(*less) - F("held"), output_field=MoneyField())
    orders: QuerySet[Model] = counted.annotate(outstanding=left)
    return orders


def _asked_twice() -> QuerySet[Model]:
    return _owing().filter(number__gt=1)


def _asked_too_much() -> QuerySet[Model]:
    return _owing().filter(asked__gt=F("outstanding"))


COLLECTION_INVARIANTS = (
    Invariant(_asked_twice, "Order {display_id} has {number} unpaid payment collections without a cart"),
    Invariant(
        _asked_too_much,
        "Order {display_id} asks for {asked} by a payment collection, but only {outstanding} is outstanding",
    ),
)
