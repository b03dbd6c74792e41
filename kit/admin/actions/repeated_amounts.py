"""Forms that move money: they repeat what they have read, and act once that is confirmed.

Why: docs/decisions/staff.md#amounts-as-people-type-them.
"""

from abc import abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any

from django import forms

from kit.admin.forms.amount_fields import AmountField
from kit.admin.lists.amounts import shown
from kit.values.money import rounded


@dataclass(frozen=True, slots=True)
class Movement:
    """What a form does. text: with amount and currency: `Refund 3.40 usd`. direction: `to ann@example.com`.

    key: all that decides where the money goes, for directions that read the same.
    """

    text: str
    direction: str
    key: object

    @property
    def digest(self) -> str:
        """By which the page remembers what it has asked about."""
        return sha256(repr(self).encode()).hexdigest()


class RepeatedAmount(forms.Form):
    """Mixin for forms; it must come before others.

    confirmed: the digest of what the page has asked about. question: the movement that the page is to ask about now.
    compared: what the page asks its reader to check.
    """

    confirmed = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    question: Movement | None = None
    compared: str = "the amount, its currency and where it goes"
    data: Any

    def propose(self, amount: Decimal | None, *, most: Decimal, currency_code: str) -> None:
        """Fill in the field `amount`, and say the most that it can be."""
        field: AmountField = self.fields["amount"]  # type: ignore[assignment]
        field.currency_code = currency_code
        field.initial = None if amount is None else rounded(amount, currency_code)
        field.help_text = f"At most {shown(most, currency_code)}."

    @abstractmethod
    def movement(self) -> Movement | None:
        """What the valid form does; None if it moves nothing that somebody typed."""

    def limit(self) -> Decimal | None:
        """The most that the field `amount` can be; None where it has no limit, or the verb alone knows it."""
        return None

    def is_confirmed(self) -> bool:
        """Whether the page has asked about what the valid form does. If not, it refuses too much, or is to ask now.

        Confirmed amounts are left to the verb: it knows whether the same form was submitted before.
        """
        movement = self.movement()
        if movement is None or self.cleaned_data["confirmed"] == movement.digest:
            return True
        most = self.limit()
        if most is not None and abs(self.cleaned_data["amount"]) > most:
            currency_code = self.fields["amount"].currency()  # type: ignore[attr-defined]  # an AmountField
            self.add_error("amount", f"{movement.text}: the amount can be at most {shown(most, currency_code)}.")
        else:
            self.question = movement
            self.data = {**dict(self.data.items()), self.add_prefix("confirmed"): movement.digest}
        return False
