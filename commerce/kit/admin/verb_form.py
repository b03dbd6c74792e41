"""The form of a screen that writes through verbs."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from commerce.kit.core.errors import DomainError


class VerbForm(forms.ModelForm[Any]):
    """Validates the input and saves nothing: the verb does.

    refusal: the verb's refusal of this input, which VerbAdmin sets on the form class of the request.
    """

    refusal: ClassVar[DomainError | None] = None

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        if self.refusal is not None:
            raise ValidationError(self.refusal.message, code=self.refusal.type)
        return cleaned
