"""The fields of request bodies, named as DRF names them: strict types, every message naming its field.

REST and GraphQL validate by these classes (kit/rest/requests/inputs.py); the admin site's forms call the same verbs.
Why: docs/decisions/http.md#unknown-fields-and-parameters-are-refused.
"""

from datetime import date, datetime
from typing import Any, ClassVar

from rest_framework import serializers

from kit.errors import shown
from kit.reads.filters.framework_hooks import ignored
from kit.values.days import day_of
from kit.values.money import without_noise
from kit.values.timestamps import parse_moment


class StrictField(serializers.Field[Any, Any, Any, Any]):
    """A field that takes its own JSON type only: no text stands for a number, no number for a text."""

    json_type: ClassVar[str]
    python_type: ClassVar[type | tuple[type, ...]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "error_messages" in kwargs:
            raise ignored(type(self).__name__, "`error_messages`", "raise ValidationError in validate_<field>")
        super().__init__(*args, **kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is serializers.empty or (data is None and self.allow_null):
            return super().run_validation(data)
        if not self.fits(data):
            raise serializers.ValidationError(expected(self.json_type, self.field_name, data))
        problem = self.problem(data)
        if problem:
            raise serializers.ValidationError(problem)
        return super().run_validation(data)

    def fits(self, data: Any) -> bool:
        """Whether the value is of the field's JSON type. To Python, true is a number too."""
        return isinstance(data, self.python_type) and (self.python_type is bool or not isinstance(data, bool))

    def problem(self, data: Any) -> str | None:
        """What else is wrong with a value of the right type."""
        return None

    def bounds(self, size: int, least: int | None, most: int | None, unit: str = "") -> str | None:
        """The message for a size outside its bounds."""
        if least is not None and size < least:
            return f"Value for field '{self.field_name}' too small, expected at least: '{least}'{unit}"
        if most is not None and size > most:
            return f"Value for field '{self.field_name}' too big, expected at most: '{most}'{unit}"
        return None


class CharField(StrictField, serializers.CharField):
    """A string as it was sent, neither trimmed nor converted; at most 255 characters unless specified otherwise."""

    json_type = "string"
    python_type = str

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 255, "trim_whitespace": False, "allow_blank": True, **kwargs})

    def problem(self, data: str) -> str | None:
        if not self.allow_blank and not data.strip():
            return f"Value for field '{self.field_name}' must not be empty"
        return self.bounds(len(data), None, self.max_length, " characters")


class BlankField(CharField):
    """The same; null is the empty string."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"allow_null": True, **kwargs})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return super().run_validation("" if data is None else data)


class BooleanField(StrictField, serializers.BooleanField):
    """true or false."""

    json_type = "boolean"
    python_type = bool


class IntegerField(StrictField, serializers.IntegerField):
    """An integer within its bounds."""

    json_type = "number"
    python_type = int

    def problem(self, data: int) -> str | None:
        return self.bounds(data, self.min_value, self.max_value)


class DecimalField(StrictField, serializers.FloatField):
    """A JSON number, as a Decimal without binary noise. The verbs decide how many of them a currency can have."""

    json_type = "number"
    python_type = (int, float)

    def to_internal_value(self, data: Any) -> Any:
        return without_noise(data)


class FloatField(StrictField, serializers.FloatField):
    """A JSON number."""

    json_type = "number"
    python_type = (int, float)


class DateField(StrictField, serializers.DateField):
    """A day: `2026-01-31`."""

    json_type = "date"
    python_type = str

    def to_internal_value(self, data: date | str) -> date:
        day = day_of(str(data))
        if day is None:
            raise serializers.ValidationError(expected(self.json_type, self.field_name, data))
        return day


class DateTimeField(StrictField, serializers.DateTimeField):
    """A moment as filters take it: ISO 8601, and a bare date is its midnight, UTC."""

    json_type = "date"
    python_type = str

    def to_internal_value(self, data: datetime | str) -> datetime:
        moment = parse_moment(str(data))
        if moment is None:
            raise serializers.ValidationError(expected(self.json_type, self.field_name, data))
        return moment


class ChoiceField(StrictField, serializers.ChoiceField):
    """One of a closed set of strings."""

    json_type = "string"
    python_type = str

    def problem(self, data: str) -> str | None:
        if data in self.choices:
            return None
        listed = ", ".join(str(choice) for choice in self.choices)
        return f"Expected: '{listed}' for field '{self.field_name}', but got: '{shown(data)}'"


class _Item(CharField):
    """Any string but the empty one, which the list refuses by its own name."""

    def problem(self, data: str) -> str | None:
        return None


class ListField(StrictField, serializers.ListField):
    """A list of what its `child` takes, non-empty strings unless specified otherwise; at most 1,000."""

    json_type = "array"
    python_type = list
    child: StrictField

    def __init__(self, *, child: StrictField | None = None, **kwargs: Any) -> None:
        super().__init__(**{"child": child or _Item(max_length=None, allow_blank=False), "max_length": 1000, **kwargs})

    def problem(self, data: list[Any]) -> str | None:
        for item in data:
            if not self.child.fits(item) or item == "":
                return expected(self.child.json_type, self.field_name, item)
        return self.bounds(len(data), None, self.max_length, " items")


class ListSerializer(StrictField, serializers.ListSerializer[Any]):
    """A list of objects, at most 1,000 unless specified otherwise: what an Input with `many=True` becomes."""

    json_type = "array"
    python_type = list
    max_length: int | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max_length": 1000, **kwargs})

    def problem(self, data: list[Any]) -> str | None:
        return self.bounds(len(data), None, self.max_length, " items")

    def run_child_validation(self, data: Any) -> Any:
        """DRF's message about null would not name the field."""
        if data is None:
            raise serializers.ValidationError(expected("object", self.field_name, data))
        return super().run_child_validation(data)


class DictField(StrictField, serializers.DictField):
    """An object of custom key-value pairs, any values."""

    json_type = "object"
    python_type = dict

    def run_child_validation(self, data: Any) -> Any:
        """None: kit/values/metadata.py checks all of it at once. A field's validation costs 2 µs a key."""
        return data


class JSONField(StrictField, serializers.JSONField):
    """A value of several JSON types: those of `python_type`."""

    json_type = "string, number, array or object"
    python_type = (str, int, float, list, dict)


_JSON_WORDS = {None: "null", True: "true", False: "false"}


def expected(json_type: str, field: str | None, value: Any) -> str:
    """The message for a value of another JSON type."""
    got = _JSON_WORDS[value] if value is None or isinstance(value, bool) else shown(value)
    return f"Expected type: '{json_type}' for field '{field}', got: '{got}'"
