"""How many orders there are, by what lists of orders are filtered by."""

from typing import ClassVar

from django.db import models

from commerce.kit.core.ids import ID_MAX_LENGTH
from commerce.kit.core.kept_counts import KeptCounts


class OrderCount(KeptCounts):
    """A change in how many orders there are of this combination; triggers add it (orders/counts).

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
