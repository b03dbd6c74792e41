"""Days in the shop's time zone (TIME_ZONE), and what people type for a day or a moment: ISO 8601."""

from datetime import date, datetime, time

from django.utils.timezone import get_current_timezone

END_OF_DAY = time(23, 59, 59, 999_000)
"""Timestamps are stored to the millisecond."""


def first_moment(day: date) -> datetime:
    """The beginning of the day. Where clocks skip midnight, it is the moment when they do."""
    return datetime.combine(day, time.min, tzinfo=get_current_timezone())


def last_moment(day: date) -> datetime:
    """The end of the day. Where its last hour comes twice, it is the end of the second."""
    return datetime.combine(day, END_OF_DAY.replace(fold=1), tzinfo=get_current_timezone())


def day_of(text: str) -> date | None:
    """The day of an ISO 8601 date; None for anything else."""
    try:
        return date.fromisoformat(text) if text.isascii() else None
    except ValueError:
        return None


def moment_of(text: str) -> datetime | None:
    """The moment of an ISO 8601 date and time, naive if it names no time zone; None for anything else."""
    try:
        return datetime.fromisoformat(text) if text.isascii() else None
    except ValueError:
        return None
