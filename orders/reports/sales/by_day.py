"""Sales by day."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Count, F, Sum
from django.db.models.functions import TruncDate
from django.utils.timezone import get_current_timezone

from kit.domain.actor import Actor
from orders.models import Order
from orders.models.orders import ORIGINAL_CREDIT
from orders.reports.sales.periods import beginning_of


class Sold(NamedTuple):
    """Orders of one day and currency. amount: their totals, including what gift cards and store credit paid."""

    orders: int = 0
    amount: Decimal = Decimal(0)


def sales_by_day(actor: Actor, days: Sequence[date]) -> Mapping[str, Mapping[date, Sold]]:
    """Sales by currency and day, without days that have none. One statement.

    The index `orders_order_sold` covers it.
    """
    rows = Order.objects.visible_to(actor).filter(canceled_at=None, created_at__gte=beginning_of(days[0]))
    found: dict[str, dict[date, Sold]] = defaultdict(dict)
    for code, day, orders, paid, credit in (
        rows.order_by()
        .values_list(F("currency_id"), TruncDate("created_at", tzinfo=get_current_timezone()))
        .annotate(Count("pk"), Sum("original_order_total"), credit=Sum(ORIGINAL_CREDIT))
    ):
        found[code][day] = Sold(orders, paid + credit)
    return found
