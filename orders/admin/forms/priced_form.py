"""Forms whose fields hold amounts in one currency."""

from abc import abstractmethod

from django import forms


class PricedForm(forms.Form):
    """The base of forms of orders and draft orders."""

    @property
    @abstractmethod
    def currency_code(self) -> str:
        """The currency of its amounts."""
