"""What a form has rendered is read back as the same value, whatever it would mean if somebody had typed it.

It is not parsed, but checked as any other value.

Why: docs/decisions/staff.md#amounts-as-people-type-them.
"""

from typing import Any

from django import forms


class ReadBack(forms.Field):
    """Mixin for form fields; it must come before Django's."""

    _bound: forms.BoundField

    def get_bound_field(self, form: forms.BaseForm, field_name: str) -> forms.BoundField:
        """Remember the form: each has fields of its own."""
        self._bound = super().get_bound_field(form, field_name)
        return self._bound

    def rendered(self, initial: object) -> str:
        """The text of that value in the form."""
        return str(self.prepare_value(initial))

    def clean(self, value: Any) -> Any:
        initial = self._bound.initial
        return super().clean(initial if self._is_unchanged(initial, value) else value)

    def has_changed(self, initial: object, data: object) -> bool:
        return not self._is_unchanged(initial, data) and super().has_changed(initial, data)

    def _is_unchanged(self, initial: object, data: object) -> bool:
        return bool(data) and not isinstance(initial, str | None) and data == self.rendered(initial)
