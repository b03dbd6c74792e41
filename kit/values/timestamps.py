"""Timestamps: UTC, kept to the millisecond that answers show, so that a shown value finds its row again."""

from datetime import UTC, datetime
from typing import Any

from django.db import models
from django.utils.dateparse import parse_date, parse_datetime


def to_millisecond(moment: datetime) -> datetime:
    """The moment with its microseconds cut to whole milliseconds."""
    rest = moment.microsecond % 1000
    return moment.replace(microsecond=moment.microsecond - rest) if rest else moment


def now() -> datetime:
    """The present moment, aware, UTC, to the millisecond."""
    return to_millisecond(datetime.now(UTC))


def iso(text: str) -> str:
    """A database's timestamp text (UTC) in the interface's form, `2026-11-21T07:24:08.120Z`.

    PostgreSQL writes `2026-11-21 07:24:08.12+00`, SQLite `2026-11-21 07:24:08.120000`; both drop a fraction of zero.
    """
    if len(text) == 26:  # three digits and PostgreSQL's zone, or SQLite's six digits: nearly every value
        return f"{text[:10]}T{text[11:23]}Z"
    fraction = text[20:].partition("+")[0] if text[19:20] == "." else ""
    return f"{text[:10]}T{text[11:19]}.{fraction[:3]:0<3}Z"


def isoformat(moment: datetime) -> str:
    """A Python moment in the interface's form."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_moment(text: str) -> datetime | None:
    """ISO 8601 date or date-time as an aware moment, to the millisecond that is stored; None for anything else."""
    if not text.isascii():
        return None  # the pattern takes the digits of every script
    try:
        moment = parse_datetime(text)
        if moment is None:
            date = parse_date(text)
            moment = None if date is None else datetime(date.year, date.month, date.day, tzinfo=UTC)
        if moment is None:
            return None
        return to_millisecond(moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


class TimestampField(models.DateTimeField[Any, Any]):
    """A moment in time, stored to the millisecond."""

    def get_prep_value(self, value: object) -> object:
        is_ready = isinstance(value, datetime) and value.tzinfo is UTC  # nearly every value, and twice in each row
        prepared = value if is_ready else super().get_prep_value(value)
        return to_millisecond(prepared) if isinstance(prepared, datetime) else prepared

    def pre_save(self, model_instance: models.Model, add: bool) -> object:
        is_automatic = self.auto_now or (self.auto_now_add and add)
        value = now() if is_automatic else getattr(model_instance, self.attname)
        if isinstance(value, datetime):
            value = to_millisecond(value)
            setattr(model_instance, self.attname, value)
        return value
