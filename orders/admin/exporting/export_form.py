"""The form that chooses the orders of an export."""

from django import forms
from django.db.models import TextChoices
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminRadioSelectWidget

from kit.admin.forms.moment_fields import DayField
from kit.admin.forms.row_choices import RowChoices
from kit.values.days import first_moment, last_moment
from orders.admin.exporting.days_form import DaysForm
from orders.reports.export.choice import Choice
from orders.states import FulfillmentStatus, OrderStatus, PaymentStatus
from shop.models import Region, SalesChannel

_ROWS = (("orders", "One for each order"), ("lines", "One for each line of an order"))


def _statuses(of: type[TextChoices]) -> forms.MultipleChoiceField:
    choices = [(value, value.replace("_", " ").capitalize()) for value in of.values]
    return forms.MultipleChoiceField(choices=choices, required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)


class ExportForm(DaysForm):
    """The filters of `manage.py export_orders`. An empty field means all."""

    kind = forms.ChoiceField(choices=_ROWS, initial="orders", label="Rows", widget=UnfoldAdminRadioSelectWidget)
    since = DayField(required=False, label="From")
    until = DayField(required=False, label="To", help_text="Including this day.")
    status = _statuses(OrderStatus)
    payment_status = _statuses(PaymentStatus)
    fulfillment_status = _statuses(FulfillmentStatus)
    sales_channel = RowChoices(
        SalesChannel.objects.order_by("name"), required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    region = RowChoices(Region.objects.order_by("name"), required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)

    field_order = (
        "kind",
        "since",
        "until",
        "status",
        "payment_status",
        "fulfillment_status",
        "sales_channel",
        "region",
    )

    def choice(self) -> Choice:
        """The choice of the valid form, with days in settings.TIME_ZONE."""
        given = self.cleaned_data
        return Choice(
            since=given["since"] and first_moment(given["since"]),
            until=given["until"] and last_moment(given["until"]),
            status=given["status"],
            payment_status=given["payment_status"],
            fulfillment_status=given["fulfillment_status"],
            sales_channel_id=[row.pk for row in given["sales_channel"]],
            region_id=[row.pk for row in given["region"]],
        )
