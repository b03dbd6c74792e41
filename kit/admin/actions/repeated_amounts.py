"""Forms that move money: they repeat what they have read, and act once that is confirmed.

Why: docs/decisions/staff.md#amounts-as-people-type-them.
"""

from abc import abstractmethod
from typing import Any

from django import forms


class RepeatedAmount(forms.Form):
    """Mixin for forms; it must come before others.

    confirmed: what the page has asked about. question: what the page is to ask; empty before the form was sent.
    """

    confirmed = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    question = ""
    data: Any

    @abstractmethod
    def movement(self) -> str:
        """What the valid form does, with amount and currency: `Refund 3.40 eur`."""

    def is_confirmed(self) -> bool:
        """Whether the page has asked about what the valid form does. If not, it is to ask now."""
        movement = self.movement()
        if self.cleaned_data["confirmed"] != movement:
            self.question = movement
            self.data = {**dict(self.data.items()), self.add_prefix("confirmed"): movement}
        return not self.question
