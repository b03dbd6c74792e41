"""The form field of an option's values."""

import re

from django.core.exceptions import ValidationError

from kit.admin.forms.text_fields import Lines

_QUOTED = re.compile(r'"(.*)"')
_COMMA = re.compile(r"\s*,\s*")
_BETWEEN_DIGITS = re.compile(r"\d,\d")


class OptionValues(Lines):
    """Values, one per line or separated by commas. A value that contains a comma must be quoted.

    "1,5" may be one value or two, so it is refused rather than guessed.
    """

    def read(self, text: str) -> list[str]:
        return [value for line in super().read(text) for value in _values(line)]

    def write(self, texts: list[str]) -> str:
        return super().write([f'"{text}"' if "," in text or _QUOTED.fullmatch(text) else text for text in texts])


def _values(line: str) -> list[str]:
    quoted = _QUOTED.fullmatch(line)
    if quoted:
        return [value] if (value := quoted[1].strip()) else []
    if _BETWEEN_DIGITS.search(line):
        raise ValidationError(
            f"Is '{line}' one value or several? Put each value on its own line, or quote one that has a comma."
        )
    return [value for value in _COMMA.split(line) if value]
