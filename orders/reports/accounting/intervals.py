"""The intervals by which reports sum, in days of the shop."""

from datetime import date, datetime

from django.db.models import DateField, TextChoices
from django.db.models.functions import Trunc
from django.utils.timezone import get_current_timezone


class Interval(TextChoices):
    """How long a row's period is."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"

    def of_day(self, column: str) -> Trunc:
        """The first day of the period, of a column with days."""
        return Trunc(column, self.value, output_field=DateField())

    def of_moment(self, column: str) -> Trunc:
        """The first day of the period, of a column with moments."""
        return Trunc(column, self.value, output_field=DateField(), tzinfo=get_current_timezone())

    def name_of(self, first: date | datetime) -> str:
        """The period that begins on that day: `2026-11-30`, `2026-11`, `2026-Q4` or `2026`."""
        match self:
            case Interval.DAY:
                return f"{first:%Y-%m-%d}"
            case Interval.MONTH:
                return f"{first:%Y-%m}"
            case Interval.QUARTER:
                return f"{first:%Y}-Q{(first.month + 2) // 3}"
        return f"{first:%Y}"
