"""What a field of a shop file is."""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from kit.domain.absent import ABSENT
from kit.shop_file.problems import Problems
from kit.values.json import JSON

_SHORTENED = 60


class InvalidValue(Exception):
    """A value that its field does not accept; without a message, its type is not the expected one."""


@dataclass(frozen=True, kw_only=True)
class Value(ABC):
    """A field. `required` applies to new objects; for existing ones, an omitted field means no change."""

    required: bool = False
    nullable: bool = False
    attribute: str = ""
    """The row's attribute, if its name is not the field's."""
    expected: ClassVar[str]

    def read(self, raw: object, path: str, problems: Problems) -> object:
        """The Python value, or ABSENT once its problem is reported."""
        if raw is None and self.nullable:
            return None
        try:
            return self.parse(raw)
        except InvalidValue as misfit:
            problems.add(path, str(misfit) or f"expected {self.expected}, got {shown(raw)}")
            return ABSENT

    def dumped(self, row: object, attribute: str) -> JSON:
        """The JSON value of the row's attribute, which `read` takes."""
        value: JSON = getattr(row, attribute)
        return value

    @abstractmethod
    def parse(self, raw: object) -> object:
        """The Python value of the JSON value. Raises InvalidValue."""


def shown(raw: object) -> str:
    """The JSON value as a problem shows it."""
    if isinstance(raw, dict):
        return "an object"
    if isinstance(raw, list):
        return "a list"
    return shortened(str(raw) if isinstance(raw, Decimal) else json.dumps(raw, ensure_ascii=False))


def shortened(words: str) -> str:
    """The words, or their beginning."""
    return words if len(words) <= _SHORTENED else f"{words[:_SHORTENED]}…"
