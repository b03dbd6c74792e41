"""Request bodies as serializers: strict types, unknown keys refused, every message naming its field.

Source: behaviour.md 4.3, 1.5. The same classes become GraphQL input types.
"""

from decimal import Decimal
from functools import cache
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.utils.serializer_helpers import BindingDict

from commerce.kit.core.paging import shown


class Input(serializers.Serializer[Any]):
    """A request body. Keys that it does not declare are refused.

    Its fields keep nothing of a request, so those of one instance serve all: making them takes longer than their use.
    """

    @property
    def fields(self) -> BindingDict:
        return _fields_of(type(self))

    def to_internal_value(self, data: Any) -> Any:
        """Raises ValidationError for anything but an object of declared keys.

        Fields that may be left out are asked only for what was sent: DRF asks all, and each of the others answers with
        an exception, which for an address was half of the price of its body.
        """
        if not isinstance(data, dict):
            raise serializers.ValidationError(_expected("object", self.field_name, data))
        fields = self.fields
        unknown = [shown(name) for name in data if name not in fields]
        if unknown:
            raise serializers.ValidationError({"non_field_errors": [f"Unrecognized fields: '{', '.join(unknown)}'"]})
        values, problems = {}, {}
        for name, field in fields.items():
            if name in data or field.required:
                try:
                    values[name] = field.run_validation(data.get(name, serializers.empty))
                except serializers.ValidationError as problem:
                    problems[name] = problem.detail
        if problems:
            raise serializers.ValidationError(problems)
        return values


@cache
def _fields_of(input_class: type[Input]) -> BindingDict:
    owner = input_class()
    fields = BindingDict(owner)
    for name, field in owner.get_fields().items():
        if field.default is not serializers.empty or field.source not in (None, name):
            raise TypeError(f"{name} of {input_class.__name__}: inputs take values as they are named, or none")
        fields[name] = field
    return fields


class _Strict(serializers.Field[Any, Any, Any, Any]):
    """A field that takes its own JSON type only: no text stands for a number, no number for a text."""

    json_type: ClassVar[str]
    python_type: ClassVar[type | tuple[type, ...]]

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is serializers.empty or (data is None and self.allow_null):
            return super().run_validation(data)
        if not isinstance(data, self.python_type) or (isinstance(data, bool) and self.python_type is not bool):
            raise serializers.ValidationError(_expected(self.json_type, self.field_name, data))
        problem = self.problem(data)
        if problem:
            raise serializers.ValidationError(problem)
        return super().run_validation(data)

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


class Text(_Strict, serializers.CharField):
    """A string as it was sent, neither trimmed nor converted; at most 255 characters unless said otherwise."""

    json_type = "string"
    python_type = str

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 255, "trim_whitespace": False, "allow_blank": True, **kwargs})

    def problem(self, data: str) -> str | None:
        if not self.allow_blank and not data.strip():
            return f"Value for field '{self.field_name}' must not be empty"
        return self.bounds(len(data), None, self.max_length, " characters")


class Flag(_Strict, serializers.BooleanField):
    """true or false."""

    json_type = "boolean"
    python_type = bool


class WholeNumber(_Strict, serializers.IntegerField):
    """An integer within its bounds."""

    json_type = "number"
    python_type = int

    def problem(self, data: int) -> str | None:
        return self.bounds(data, self.min_value, self.max_value)


class Amount(_Strict, serializers.FloatField):
    """A number as it was written, a Decimal to the verbs; which of them a currency can pay, they decide."""

    json_type = "number"
    python_type = (int, float)

    def to_internal_value(self, data: Any) -> Any:
        return Decimal(str(data))


class Choice(_Strict, serializers.ChoiceField):
    """One of a closed set of strings."""

    json_type = "string"
    python_type = str

    def problem(self, data: str) -> str | None:
        if data in self.choices:
            return None
        listed = ", ".join(str(choice) for choice in self.choices)
        return f"Expected: '{listed}' for field '{self.field_name}', but got: '{shown(data)}'"


class Texts(_Strict, serializers.ListField):
    """A list of strings, at most 1,000."""

    json_type = "array"
    python_type = list

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"child": serializers.CharField(trim_whitespace=False), "max_length": 1000, **kwargs})

    def problem(self, data: list[Any]) -> str | None:
        wrong = next((item for item in data if not isinstance(item, str) or not item), None)
        if wrong is not None:
            return _expected("string", self.field_name, wrong)
        return self.bounds(len(data), None, self.max_length, " items")


class Inputs(_Strict, serializers.ListSerializer[Any]):
    """A list of objects, each of the `child`'s shape, at most `max_length`."""

    json_type = "array"
    python_type = list
    max_length: int | None

    def problem(self, data: list[Any]) -> str | None:
        return self.bounds(len(data), None, self.max_length, " items")


class Metadata(_Strict, serializers.DictField):
    """An object of custom key-value pairs, any values."""

    json_type = "object"
    python_type = dict

    def run_child_validation(self, data: Any) -> Any:
        """None: commerce/kit/core/metadata.py checks all of it at once; a field's validation a key costs 2 µs each."""
        return data


_JSON_WORDS = {None: "null", True: "true", False: "false"}


def _expected(json_type: str, field: str | None, value: Any) -> str:
    got = _JSON_WORDS[value] if value is None or isinstance(value, bool) else shown(value)
    return f"Expected type: '{json_type}' for field '{field}', got: '{got}'"
