"""The form that chooses the days of the page "Accounting", and by which periods they are summed."""

from datetime import timedelta
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.timezone import localdate
from unfold.widgets import UnfoldAdminSelectWidget

from kit.admin.forms.csv_fields import last_format
from kit.admin.forms.moment_fields import DayField
from orders.admin.exporting.days_form import DaysForm
from orders.reports.accounting.intervals import Interval
from orders.reports.sales.periods import Period

MOST_SINGLE_DAYS = 366


class AccountsForm(DaysForm):
    """Without a choice, the months of this year."""

    since = DayField(label="From")
    until = DayField(label="To", help_text="Including this day.")
    interval = forms.ChoiceField(label="By", choices=Interval.choices, widget=UnfoldAdminSelectWidget)

    @classmethod
    def of(cls, request: HttpRequest) -> "AccountsForm":
        """The form with what the address has, and else with what is offered first."""
        today = localdate()
        offered = {"since": today.replace(month=1, day=1).isoformat(), "until": today.isoformat(), "interval": "month"}
        return cls({**offered, **request.GET.dict()} if request.GET else {**offered, **last_format(request)})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        since, until = cleaned.get("since"), cleaned.get("until")
        is_long = since and until and until - since >= timedelta(days=MOST_SINGLE_DAYS)
        if is_long and cleaned.get("interval") == Interval.DAY:
            self.add_error("until", f"Choose at most {MOST_SINGLE_DAYS} days, or longer periods.")
        return cleaned

    def period(self) -> Period:
        """The days that the valid form chooses."""
        return Period(self.cleaned_data["since"], self.cleaned_data["until"])

    def interval_chosen(self) -> Interval:
        """By what the valid form has them summed."""
        return Interval(self.cleaned_data["interval"])
