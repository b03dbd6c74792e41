"""The currency of forms that give store credit or gift cards."""

from typing import Any

from django import forms

from giftcards.errors import CurrencyNotSold
from giftcards.ledger.owners import check_spendable
from shop.admin.currency_choices import limit_to_shop_currencies
from shop.models import Currency


class SpendableCurrency(forms.BaseForm):
    """Offers the currencies that a region sells in, and refuses others."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "currency" in self.fields:
            limit_to_shop_currencies(self.fields["currency"])

    def clean_currency(self) -> Currency:
        currency: Currency = self.cleaned_data["currency"]
        try:
            check_spendable(currency.pk)
        except CurrencyNotSold as error:
            raise forms.ValidationError(error.message) from error
        return currency
