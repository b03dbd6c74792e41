"""The form that issues gift cards."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from giftcards.admin.spendable_currency import SpendableCurrency
from giftcards.cards.issuing import MAX_NOTE_LENGTH, Terms
from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.admin.forms.amount_fields import CountField, MovedAmount
from kit.admin.forms.customer_mail import NOTIFY, customer_mail_field
from kit.admin.forms.row_choices import offer_not_deleted
from kit.admin.forms.verb_form import VerbForm
from kit.admin.lists.amounts import shown
from kit.values.ids import new_ulid

MAX_CARDS = 100
"""Per form: their codes fill one page. The command issues more."""

HELP = {
    "customer": "The only customer who can redeem them. Empty means anyone with the code.",
    "expires_at": "Empty means never.",
}


class IssueForm(RepeatedAmount, SpendableCurrency, VerbForm):
    """ticket: new in each form, so that a form that is submitted twice issues once."""

    value = MovedAmount(help_text="Of each card.")
    count = CountField(
        min_value=1,
        max_value=MAX_CARDS,
        initial=1,
        label="Number of cards",
        help_text=f"At most {MAX_CARDS}.",
    )
    note = forms.CharField(
        required=False,
        max_length=MAX_NOTE_LENGTH,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
        help_text="Shown to the customer who owns or redeems a card.",
    )
    notify = customer_mail_field("With the codes, if you have chosen a customer above.", is_on=False)
    ticket = forms.CharField(max_length=26, initial=new_ulid, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.help_text = HELP.get(name, field.help_text)
            if isinstance(field, forms.ModelChoiceField):
                offer_not_deleted(field, chosen=None)

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        customer = self.cleaned_data.get("customer")
        if self.cleaned_data.get(NOTIFY) and not (customer and customer.email) and "customer" not in self.errors:
            self.add_error("customer", "Choose a customer with an email address, who gets the email.")
        return cleaned

    def movement(self) -> Movement:
        value, count, currency, customer = (
            self.cleaned_data[name] for name in ("value", "count", "currency", "customer")
        )
        each, together = shown(value, currency.pk), shown(count * value, currency.pk)
        text = f"Issue {count} cards of {each}, {together} together" if count > 1 else f"Issue a card of {each}"
        return Movement(text, f"for {customer or 'anyone with the code'}", customer and customer.pk)

    def terms(self, *, reference: str, reference_id: str) -> Terms:
        """The terms of the valid form's cards."""
        given = self.cleaned_data
        return Terms(
            value=given["value"],
            currency_code=given["currency"].pk,
            customer_id=given["customer"] and given["customer"].pk,
            expires_at=given["expires_at"],
            note=given["note"] or None,
            reference=reference,
            reference_id=reference_id,
        )
