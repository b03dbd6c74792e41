"""What the customer of an order still has to agree to pay."""

from django.conf import settings
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.db.models.lookups import LessThanOrEqual

from kit.values.money import stored
from orders.common.summary import balance_of, outstanding, pending_difference
from orders.models import Order
from orders.models.orders import UNCOUNTED, difference
from payments.models import PaymentCollection


def outstanding_of(order: Order) -> int:
    """In 1/10,000: what is owed, less what is authorized and not captured. One statement."""
    collections = PaymentCollection.objects.not_deleted().filter(order_id=order.pk)
    sums = collections.aggregate(
        authorized=Sum("authorized_amount", default=0), captured=Sum("captured_amount", default=0)
    )
    held = stored(sums["authorized"]) - stored(sums["captured"])
    return outstanding(pending_difference(balance_of(order)), held)


def nothing_outstanding() -> Q:
    """The condition of orders of which nothing is outstanding."""
    less = ("requested_return_total",) if settings.RETURN_COUNTS == "requested" else UNCOUNTED
    held = Sum(F("authorized_amount") - F("captured_amount"))
    collections = PaymentCollection.objects.not_deleted().filter(order_id=OuterRef("pk")).order_by()
    sums = Subquery(collections.values("order_id").annotate(held=held).values("held"))
    return Q(LessThanOrEqual(difference(*less) - Coalesce(sums, 0), 0))
