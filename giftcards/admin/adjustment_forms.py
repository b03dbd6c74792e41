"""The forms for adjustments of store credit."""

from decimal import Decimal
from functools import partial

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.http import QueryDict
from unfold.widgets import UnfoldAdminSelectWidget

from customers.models import Customer
from giftcards.admin.spendable_currency import SpendableCurrency
from giftcards.models import StoreCreditAccount
from kit.admin.actions.repeated_amounts import Movement, RepeatedAmount
from kit.admin.forms.amount_fields import AmountField, MovedAmount
from kit.admin.forms.reason_field import ReasonField
from kit.admin.forms.row_choices import RowChoice
from kit.admin.forms.searched_rows import SearchedRow
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.ids import new_id
from kit.values.text import is_storable
from shop.models import Currency


class AdjustmentForm(RepeatedAmount):
    """For an account. adjustment_id: new in each form, so that a form that is submitted twice is booked once."""

    amount = AmountField(
        is_signed=True, max_digits=15, decimal_places=4, help_text="A negative amount is taken from the account."
    )
    reason = ReasonField(help_text="Stored with the entry and in the history.")
    adjustment_id = forms.RegexField(
        r"\Asc_adj_[0-9A-Z]{26}\Z", initial=partial(new_id, "sc_adj"), widget=forms.HiddenInput
    )

    def __init__(self, data: QueryDict | None, *, account: StoreCreditAccount | None = None) -> None:
        super().__init__(data)
        self._account = account
        if account is not None:
            self.fields["amount"].currency_code = account.currency_id  # type: ignore[attr-defined]  # an AmountField

    def clean_amount(self) -> Decimal:
        amount: Decimal = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError("Enter an amount other than 0.")
        return amount

    @property
    def owner(self) -> tuple[Customer, str]:
        """The customer and the currency of the valid form."""
        assert self._account is not None and self._account.customer is not None  # noqa: S101, PT018 - the view gave one
        return self._account.customer, self._account.currency_id

    def movement(self) -> Movement:
        amount, (customer, code) = self.cleaned_data["amount"], self.owner
        if amount > 0:
            return Movement(f"Give {shown(amount, code)}", f"to {customer}", customer.pk)
        return Movement(f"Take {shown(-amount, code)}", f"from {customer}", customer.pk)

    def limit(self) -> Decimal | None:
        return self._account.available if self._account and self.cleaned_data["amount"] < 0 else None


class GiftForm(SpendableCurrency, AdjustmentForm):
    """For a customer who may not have an account yet; one that the actor may see, since the form names them."""

    customer = RowChoice(
        Customer.objects.none(),
        widget=SearchedRow(StoreCreditAccount._meta.get_field("customer"), admin.site),
    )
    currency = RowChoice(Currency.objects.not_deleted(), widget=UnfoldAdminSelectWidget)
    amount = MovedAmount()

    field_order = ("customer", "currency", "amount", "reason")

    def __init__(self, data: QueryDict | None, *, actor: Actor, customer_id: str = "") -> None:
        super().__init__(data)
        self.fields["customer"].queryset = Customer.objects.visible_to(actor)  # type: ignore[attr-defined]  # a RowChoice
        if is_storable(customer_id):
            self.fields["customer"].initial = customer_id

    @property
    def owner(self) -> tuple[Customer, str]:
        return self.cleaned_data["customer"], self.cleaned_data["currency"].pk
