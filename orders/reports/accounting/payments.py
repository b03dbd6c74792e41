"""Payments by provider: what was captured and refunded, by period and currency."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.db.models import Count, F, Sum

from orders.reports.accounting.intervals import Interval
from orders.reports.sales.periods import Period
from payments.models import Capture, Refund


class Payments(NamedTuple):
    """captures, refunds: how many. All of the shop's payments, also those that no order took."""

    period: str
    currency: str
    provider: str
    captures: int = 0
    captured: Decimal = Decimal(0)
    refunds: int = 0
    refunded: Decimal = Decimal(0)


def payments(period: Period, interval: Interval) -> Sequence[Payments]:
    """By period, currency and provider. Two statements."""
    found: dict[tuple[str, str, str], dict[str, Any]] = defaultdict(dict)
    for movement, count, amount in ((Capture, "captures", "captured"), (Refund, "refunds", "refunded")):
        rows = movement.objects.filter(period.of("created_at")).annotate(first_day=interval.of_moment("created_at"))
        for first, currency, provider, *sums in (
            rows.order_by()
            .values_list("first_day", F("payment__currency_id"), "payment__provider_id")
            .annotate(Count("pk"), Sum("amount"))
        ):
            found[interval.name_of(first), currency, provider] |= dict(zip((count, amount), sums, strict=True))
    return [Payments(*key, **found[key]) for key in sorted(found)]
