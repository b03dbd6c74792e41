"""The form of a screen that writes through verbs."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from kit.editing.states import RowsRefused
from kit.errors import DomainError


class VerbForm(forms.ModelForm[Any]):
    """Validates the input and saves nothing: the verb does.

    refusal: the verb's refusal of this input, set on the form class of the request (ConflictChecked).
    """

    refusal: ClassVar[DomainError | None] = None

    def clean(self) -> dict[str, object] | None:
        cleaned = super().clean()
        if isinstance(self.refusal, RowsRefused):
            self._add_faults(self.refusal)
        elif self.refusal is not None:
            raise ValidationError(self.refusal.message, code=self.refusal.type)
        return cleaned

    def _add_faults(self, refusal: RowsRefused) -> None:
        """Show each fault at its field, and those of other rows than the form's above it."""
        columns = {getattr(field, "attname", field.name): field.name for field in self._meta.model._meta.get_fields()}
        for fault in refusal.faults:
            field = columns.get(fault.field, fault.field) if refusal.model is self._meta.model else ""
            error = ValidationError(fault.error.message, code=fault.error.type)
            self.add_error(field if field in self.fields else None, error)
