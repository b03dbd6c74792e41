"""The form of a screen that writes through verbs."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from commerce.kit.core.errors import DomainError


class VerbForm(forms.ModelForm[Any]):
    """Reads what was typed and saves nothing: the verb decides.

    refusal: what the verb answered to this input a moment ago; VerbAdmin sets it on the form class of that request.
    """

    refusal: ClassVar[DomainError | None] = None

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        if self.refusal is not None:
            raise ValidationError(self.refusal.message, code=self.refusal.type)
        return cleaned
