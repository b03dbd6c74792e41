"""Dates and moments as people read them, in one form everywhere on the admin site."""

from datetime import date, datetime

from django.utils.formats import date_format
from django.utils.timezone import is_aware, localtime


def shown_moment(at: datetime) -> str:
    """`27 Nov 2026, 04:12`, in settings.TIME_ZONE: DATETIME_FORMAT, as templates and lists show moments."""
    return date_format(localtime(at) if is_aware(at) else at, "DATETIME_FORMAT")


def shown_date(day: date) -> str:
    """`27 Nov 2026`."""
    return date_format(day, "DATE_FORMAT")
