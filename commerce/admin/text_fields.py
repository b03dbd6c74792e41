"""Form fields of texts that may have several lines."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextareaWidget


class PlainText(forms.CharField):
    """A text whose lines end as they are stored: browsers send CRLF, whatever the page had, and so would change it."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(_with_plain_ends(value))

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return not self.disabled and bool(self.to_python(initial) != self.to_python(data))
        except ValidationError:
            return True


class Lines(PlainText):
    """A list of texts, one a line; empty lines are none."""

    def __init__(self, *, rows: int = 2, **kwargs: Any) -> None:
        super().__init__(**{"widget": UnfoldAdminTextareaWidget(attrs={"rows": rows}), **kwargs})

    def to_python(self, value: Any) -> Any:
        text = self.prepare_value(value) if isinstance(value, list) else "" if value is None else str(value)
        return self.read(super().to_python(text) or "")

    def run_validators(self, value: Any) -> None:
        for line in value:
            super().run_validators(line)

    def prepare_value(self, value: Any) -> Any:
        return self.write([str(one) for one in value]) if isinstance(value, list) else value

    def read(self, text: str) -> list[str]:
        """The texts that were typed. Raises ValidationError."""
        return [line.strip() for line in text.splitlines() if line.strip()]

    def write(self, texts: list[str]) -> str:
        """The texts as they are typed."""
        return "\n".join(texts)


def _with_plain_ends(value: Any) -> Any:
    return value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value
