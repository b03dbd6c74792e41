"""The form field of why something is done."""

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextareaWidget

from kit.values import text

LONGEST = 1_000


class ReasonField(forms.CharField):
    """A text that both databases can hold, demanded."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**{"max_length": LONGEST, "widget": UnfoldAdminTextareaWidget(attrs={"rows": 3}), **kwargs})

    def clean(self, value: object) -> str:
        cleaned: str = super().clean(value)
        problem = text.fault(cleaned)
        if problem:
            raise ValidationError(f"It {problem}.")
        return cleaned
