"""The form that chooses the days of the sales page, and how its tables are downloaded."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest

from kit.admin.forms.csv_fields import last_format
from kit.admin.forms.moment_fields import DayField
from orders.admin.exporting.days_form import DaysForm
from orders.reports.sales.periods import Period, last_days

DEFAULT_DAYS = 30
MOST_DAYS = 366
"""So that the tables of a large shop are read in a few seconds."""


class SalesForm(DaysForm):
    """Without a choice, the last days."""

    since = DayField(label="From")
    until = DayField(label="To", help_text="Including this day.")

    @classmethod
    def of(cls, request: HttpRequest) -> "SalesForm":
        """The form with what the address has, and else with what is offered first."""
        days = last_days(DEFAULT_DAYS)
        offered = {"since": days[0].isoformat(), "until": days[-1].isoformat()}
        # A box that is not ticked is not sent: only a form without any choice has that of the last file.
        return cls({**offered, **request.GET.dict()} if request.GET else {**offered, **last_format(request)})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and until - since >= timedelta(days=MOST_DAYS):
            self.add_error("until", f"Choose at most {MOST_DAYS} days.")
        return cleaned

    def period(self) -> Period:
        """The days that the valid form chooses."""
        return Period(self.cleaned_data["since"], self.cleaned_data["until"])
