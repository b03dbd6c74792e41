"""Form fields for multi-line text."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextareaWidget


class PlainText(forms.CharField):
    """A text with LF line ends: browsers always send CRLF, which would change the stored text."""

    def to_python(self, value: object) -> Any:
        return super().to_python(_with_plain_ends(value))

    def has_changed(self, initial: object, data: object) -> bool:
        try:
            return not self.disabled and bool(self.to_python(initial) != self.to_python(data))
        except ValidationError:
            return True


class Lines(PlainText):
    """A list of texts, one per line; empty lines are skipped."""

    def __init__(self, *, rows: int = 2, **kwargs: object) -> None:
        super().__init__(**{"widget": UnfoldAdminTextareaWidget(attrs={"rows": rows}), **kwargs})

    def to_python(self, value: object) -> Any:
        text = self.prepare_value(value) if isinstance(value, list) else "" if value is None else str(value)
        return self.read(super().to_python(text) or "")

    def run_validators(self, value: Iterable[str]) -> None:
        for line in value:
            super().run_validators(line)

    def prepare_value(self, value: object) -> object:
        return self.write([str(one) for one in value]) if isinstance(value, list) else value

    def read(self, text: str) -> list[str]:
        """Parse the typed text. Raises ValidationError."""
        return [line.strip() for line in text.splitlines() if line.strip()]

    def write(self, texts: list[str]) -> str:
        """Format the texts for the field."""
        return "\n".join(texts)


def _with_plain_ends(value: object) -> object:
    return value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value
