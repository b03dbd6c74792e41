"""The currency of forms that give store credit or gift cards."""

from django import forms

from commerce.shop.models import Currency
from giftcards.errors import CurrencyNotSold
from giftcards.owners import check_spendable


class SpendableCurrency(forms.BaseForm):
    """Refuses a currency that no region sells in."""

    def clean_currency(self) -> Currency:
        currency: Currency = self.cleaned_data["currency"]
        try:
            check_spendable(currency.pk)
        except CurrencyNotSold as error:
            raise forms.ValidationError(error.message) from error
        return currency
