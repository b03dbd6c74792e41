"""The form field of metadata: an arbitrary object, as JSON text."""

import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput
from unfold.widgets import UnfoldAdminTextareaWidget

from kit.values import bounded_json
from kit.values.json import JSONObject
from kit.values.metadata import Metadata, fault


class MetadataField(forms.JSONField):
    """Shows the object indented, or nothing; accepts an object or nothing."""

    def __init__(self, *, rows: int = 4, **kwargs: object) -> None:
        super().__init__(**{"widget": UnfoldAdminTextareaWidget(attrs={"rows": rows}), **kwargs})

    def to_python(self, value: object) -> Any:
        try:
            bounded_json.measure(str(value or ""))
            given = super().to_python(value)
        except bounded_json.TooComplex as reason:
            raise ValidationError(f"The object {reason}.") from None
        except ValueError:  # more digits than Python turns into a number
            raise ValidationError("Enter an object with shorter numbers.") from None
        if given is not None and not isinstance(given, dict):
            raise ValidationError('Enter an object, like {"key": "value"}.')
        problem = fault(given)
        if problem:
            raise ValidationError(f"The object {problem}.")
        return given

    def bound_data(self, data: str | None, initial: object) -> object:
        """What was typed, shown again as it was; half a surrogate pair, which no page can hold, as its escape."""
        if self.disabled or data is None:
            return initial if self.disabled else None
        return InvalidJSONInput(data.encode(errors="backslashreplace").decode())

    def prepare_value(self, value: object) -> str:
        if value is None:
            return ""
        return (
            json.dumps(value, ensure_ascii=False, indent=2) if isinstance(value, dict) else super().prepare_value(value)
        )


def as_update(given: Metadata | None, *, stored: Metadata | None) -> JSONObject | None:
    """The update for a verb that merges, so that exactly the given object remains: "" removes omitted keys."""
    if not given:
        return None if given is None else {}
    return {**dict.fromkeys(stored or {}, ""), **given}
