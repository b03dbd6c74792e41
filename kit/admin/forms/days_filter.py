"""The filter of lists by days of the shop."""

from typing import Any

from django import forms
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from unfold.contrib.filters.admin import RangeDateFilter

from kit.admin.forms.moment_fields import DayField
from kit.values.days import first_moment, last_moment


class DaysForm(forms.Form):
    """The first and the last day. name: of the column."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fields[f"{name}_from"] = DayField(label="From", required=False)
        self.fields[f"{name}_to"] = DayField(label="To", required=False)


class DaysFilter(RangeDateFilter):  # type: ignore[misc]
    """The rows from the beginning of one day to the end of another; all of them if neither can be read."""

    form_class = DaysForm
    template = "admin/days_filter.html"

    def queryset(self, request: HttpRequest, queryset: QuerySet[Model]) -> QuerySet[Model]:
        form = self.form_class(self.parameter_name, data=self.used_parameters)
        form.is_valid()
        first, last = (form.cleaned_data.get(f"{self.parameter_name}_{end}") for end in ("from", "to"))
        since = {f"{self.parameter_name}__gte": first_moment(first)} if first else {}
        until = {f"{self.parameter_name}__lte": last_moment(last)} if last else {}
        return queryset.filter(**since, **until)
