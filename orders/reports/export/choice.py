"""Which orders are exported."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Self

from django.db.models import Q

from kit.values.json import JSONObject
from kit.values.timestamps import isoformat


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Orders that were created from `since` to `until`, both included, with one of each of these; empty means any."""

    since: datetime | None = None
    until: datetime | None = None
    status: Collection[str] = ()
    payment_status: Collection[str] = ()
    fulfillment_status: Collection[str] = ()
    sales_channel_id: Collection[str] = ()
    region_id: Collection[str] = ()

    def condition(self, order: str = "") -> Q:
        """For rows whose ORM path to the order is `order`, such as `order__`."""
        lookups = {
            "created_at__gte": self.since,
            "created_at__lte": self.until,
            "status__in": self.status,
            "payment_status__in": self.payment_status,
            "fulfillment_status__in": self.fulfillment_status,
            "sales_channel_id__in": self.sales_channel_id,
            "region_id__in": self.region_id,
        }
        return Q(**{f"{order}{lookup}": value for lookup, value in lookups.items() if value})

    def as_json(self) -> JSONObject:
        """The choice as a job stores it."""
        return {
            name: isoformat(value) if isinstance(value, datetime) else value and sorted(value)
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """The choice whose as_json is `stored`."""
        moments = {name: datetime.fromisoformat(stored[name]) for name in ("since", "until") if stored[name]}
        return cls(**{**stored, **moments})
