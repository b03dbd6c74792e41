"""Days of the shop, in settings.TIME_ZONE."""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple, Self

from django.db.models import Q
from django.utils.timezone import localdate, make_aware


def last_days(number: int) -> list[date]:
    """The last days including today, oldest first."""
    today = localdate()
    return [today - timedelta(days=ago) for ago in reversed(range(number))]


def beginning_of(day: date) -> datetime:
    """Midnight at the beginning of the day."""
    return make_aware(datetime.combine(day, time.min))


class Period(NamedTuple):
    """The days from `first` to `last`, both included."""

    first: date
    last: date

    def of(self, column: str) -> Q:
        """The rows whose moment in that column is in the period."""
        beginning, end = beginning_of(self.first), beginning_of(self.last + timedelta(days=1))
        return Q(**{f"{column}__gte": beginning, f"{column}__lt": end})

    def wider(self) -> Self:
        """With the days before and after."""
        return self._replace(first=self.first - timedelta(days=1), last=self.last + timedelta(days=1))


ALL_TIME = Period(date(1900, 1, 1), date(2999, 12, 31))
