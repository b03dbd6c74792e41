"""Days of the shop, in settings.TIME_ZONE."""

from datetime import date, datetime, time, timedelta

from django.utils.timezone import localdate, make_aware


def last_days(number: int) -> list[date]:
    """The last days including today, oldest first."""
    today = localdate()
    return [today - timedelta(days=ago) for ago in reversed(range(number))]


def beginning_of(day: date) -> datetime:
    """Midnight at the beginning of the day."""
    return make_aware(datetime.combine(day, time.min))
