"""How many orders there are, by what lists of orders are filtered by."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models
from django.db.models import Q

from kit.derived.kept_counts import KeptCounts, KeptRangeCounts
from kit.derived.value_ranges import DAYS, THREE_DIGITS, Ranges
from kit.values.ids import ID_MAX_LENGTH
from kit.values.money import MoneyField
from kit.values.timestamps import TimestampField


class OrderCount(KeptCounts):
    """A change in how many orders there are of this combination; triggers add it (orders/reports/counts).

    Only orders that are not deleted count. customer_id: "" for any customer, null for guests.
    """

    answered: ClassVar[frozenset[str]] = frozenset(
        {
            "status",
            "status__in",
            "payment_status",
            "payment_status__in",
            "fulfillment_status",
            "fulfillment_status__in",
            "region_id",
            "region_id__in",
            "sales_channel_id",
            "sales_channel_id__in",
            "currency_id",
            "currency_id__in",
            "customer_id__isnull",
        }
    )

    status = models.CharField(max_length=16)
    payment_status = models.CharField(max_length=24)
    fulfillment_status = models.CharField(max_length=24)
    region_id = models.CharField(max_length=ID_MAX_LENGTH)
    sales_channel_id = models.CharField(max_length=ID_MAX_LENGTH)
    currency_id = models.CharField(max_length=3, db_column="currency_code")
    customer_id = models.CharField(max_length=ID_MAX_LENGTH, null=True)

    objects = models.Manager["OrderCount"]()

    def __str__(self) -> str:
        return f"{self.number:+}"


class OrderRangeCount(KeptRangeCounts):
    """A change in how many orders there are in this range of a column; triggers add it (orders/reports/counts).

    Only orders that are not deleted count.
    """

    ranges: ClassVar[Mapping[str, Ranges]] = {
        "created_at": DAYS,
        "updated_at": DAYS,
        "total": THREE_DIGITS,
        "display_id": THREE_DIGITS,
    }
    numbered: ClassVar[str] = "display_id"

    created_at = TimestampField(null=True)
    updated_at = TimestampField(null=True)
    total = MoneyField(null=True)
    display_id = models.BigIntegerField(null=True)

    objects = models.Manager["OrderRangeCount"]()

    class Meta:
        indexes = [
            models.Index(fields=["created_at"], condition=Q(created_at__isnull=False), name="orders_range_created"),
            models.Index(fields=["updated_at"], condition=Q(updated_at__isnull=False), name="orders_range_updated"),
            models.Index(fields=["total"], condition=Q(total__isnull=False), name="orders_range_total"),
            models.Index(fields=["display_id"], condition=Q(display_id__isnull=False), name="orders_range_number"),
        ]

    def __str__(self) -> str:
        return f"{self.number:+}"
