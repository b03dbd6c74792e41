"""The form that chooses the orders of an export."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import TextChoices
from django.utils.timezone import make_aware
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSingleDateWidget,
)

from kit.admin.forms.row_choices import RowChoices
from orders.reports.export.choice import Choice
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus
from shop.models import Region, SalesChannel

_END_OF_DAY = time(23, 59, 59, 999_000)
_YEARS = (MinValueValidator(date(1900, 1, 1)), MaxValueValidator(date(2999, 12, 31)))  # in UTC, days differ
_ROWS = (("orders", "One for each order"), ("lines", "One for each line of an order"))


def _statuses(of: type[TextChoices]) -> forms.MultipleChoiceField:
    choices = [(value, value.replace("_", " ").capitalize()) for value in of.values]
    return forms.MultipleChoiceField(choices=choices, required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)


class ExportForm(forms.Form):
    """The filters of `manage.py export_orders`. An empty field means all."""

    kind = forms.ChoiceField(choices=_ROWS, initial="orders", label="Rows", widget=UnfoldAdminRadioSelectWidget)
    since = forms.DateField(required=False, label="From", widget=UnfoldAdminSingleDateWidget, validators=_YEARS)
    until = forms.DateField(
        required=False,
        label="To",
        widget=UnfoldAdminSingleDateWidget,
        help_text="Including this day.",
        validators=_YEARS,
    )
    status = _statuses(OrderStatus)
    payment_status = _statuses(PaymentStatus)
    fulfillment_status = _statuses(FulfillmentStatus)
    sales_channel = RowChoices(
        SalesChannel.objects.order_by("name"), required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    region = RowChoices(Region.objects.order_by("name"), required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", "This day is before the first day.")
        return cleaned

    def choice(self) -> Choice:
        """The choice of the valid form, with days in settings.TIME_ZONE."""
        given = self.cleaned_data
        return Choice(
            since=_moment(given["since"], time.min),
            until=_moment(given["until"], _END_OF_DAY),
            status=given["status"],
            payment_status=given["payment_status"],
            fulfillment_status=given["fulfillment_status"],
            sales_channel_id=[row.pk for row in given["sales_channel"]],
            region_id=[row.pk for row in given["region"]],
        )


def _moment(day: date | None, at: time) -> datetime | None:
    return make_aware(datetime.combine(day, at)) if day else None
