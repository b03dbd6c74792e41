"""Request bodies as serializers: strict types, unknown keys refused, every message naming its field.

Source: behaviour.md 4.3, 1.5. The same classes become GraphQL input types.
"""

from typing import Any

from rest_framework import serializers

from commerce.core.paging import shown


class Input(serializers.Serializer[Any]):
    """A request body. Keys that it does not declare are refused."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError(_expected("object", self.field_name or "body", data))
        unknown = [shown(name) for name in data if name not in self.fields]
        if unknown:
            raise serializers.ValidationError(f"Unrecognized fields: '{', '.join(unknown)}'")
        return super().to_internal_value(data)


def _expected(type: str, field: str | None, value: Any) -> str:
    return f"Expected type: '{type}' for field '{field}', got: '{_as_json(value)}'"


def _as_json(value: Any) -> str:
    return {None: "null", True: "true", False: "false"}[value] if value is None or value is True or value is False else shown(value)


class Text(serializers.CharField):
    """A string as it was sent, neither trimmed nor converted; at most 255 characters unless said otherwise."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 255, "trim_whitespace": False, "allow_blank": True, **kwargs})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and not (isinstance(data, str) or data is None and self.allow_null):
            raise serializers.ValidationError(_expected("string", self.field_name, data))
        if data == "" and not self.allow_blank or isinstance(data, str) and not self.allow_blank and not data.strip():
            raise serializers.ValidationError(f"Value for field '{self.field_name}' must not be empty")
        if isinstance(data, str) and self.max_length is not None and len(data) > self.max_length:
            raise serializers.ValidationError(
                f"Value for field '{self.field_name}' too big, expected at most: '{self.max_length}' characters"
            )
        return super().run_validation(data)


class Flag(serializers.BooleanField):
    """true or false; no text or number stands for them."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and not (isinstance(data, bool) or data is None and self.allow_null):
            raise serializers.ValidationError(_expected("boolean", self.field_name, data))
        return super().run_validation(data)


class WholeNumber(serializers.IntegerField):
    """An integer within its bounds."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and not (data is None and self.allow_null):
            if isinstance(data, bool) or not isinstance(data, int):
                raise serializers.ValidationError(_expected("number", self.field_name, data))
            if self.min_value is not None and data < self.min_value:
                raise serializers.ValidationError(
                    f"Value for field '{self.field_name}' too small, expected at least: '{self.min_value}'"
                )
            if self.max_value is not None and data > self.max_value:
                raise serializers.ValidationError(
                    f"Value for field '{self.field_name}' too big, expected at most: '{self.max_value}'"
                )
        return super().run_validation(data)


class Choice(serializers.ChoiceField):
    """One of a closed set of strings."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and not (isinstance(data, str) and data in self.choices):
            listed = ", ".join(str(choice) for choice in self.choices)
            raise serializers.ValidationError(f"Expected: '{listed}' for field '{self.field_name}', but got: '{_as_json(data)}'")
        return super().run_validation(data)


class Texts(serializers.ListField):
    """A list of strings."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"child": serializers.CharField(), "max_length": 1000, **kwargs})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty:
            if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
                raise serializers.ValidationError(_expected("array", self.field_name, data))
            if self.max_length is not None and len(data) > self.max_length:
                raise serializers.ValidationError(
                    f"Value for field '{self.field_name}' too big, expected at most: '{self.max_length}' items"
                )
        return data if isinstance(data, list) else super().run_validation(data)


class Metadata(serializers.DictField):
    """An object of custom key-value pairs, any values."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is not serializers.empty and not (isinstance(data, dict) or data is None and self.allow_null):
            raise serializers.ValidationError(_expected("object", self.field_name, data))
        return data if isinstance(data, dict) else super().run_validation(data)
