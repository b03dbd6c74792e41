"""The switch of forms about which the customer gets an email."""

from django import forms
from unfold.widgets import UnfoldBooleanWidget

NOTIFY = "notify"
"""The name of the field."""


def customer_mail_field(help_text: str, *, is_on: bool = True) -> forms.BooleanField:
    """is_on: whether it is checked as the form opens. Off in forms that sent no email before they had the switch.

    Invoices and credit notes that follow are sent all the same.
    """
    return forms.BooleanField(
        label="The customer gets an email",
        required=False,
        initial=is_on,
        widget=UnfoldBooleanWidget,
        help_text=help_text,
    )
