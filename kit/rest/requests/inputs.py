"""Request bodies as serializers: unknown keys refused, each field of kit/rest/requests/input_fields.py.

The same classes become GraphQL input types. Why: docs/decisions/http.md#unknown-fields-and-parameters-are-refused.
"""

from functools import cache
from itertools import islice
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.fields import get_error_detail
from rest_framework.utils.serializer_helpers import BindingDict

from kit.errors import MOST_NAMED, InvalidData, shown
from kit.reads.filters.framework_hooks import ignored, refuse_hooks
from kit.rest.requests.input_fields import ListSerializer, StrictField, expected

UNKNOWN = "unknown"
"""The code of an error that names a key which is not declared."""
_VERBS_WRITE = "call a verb with body()"
_HOOKS = {
    "create": _VERBS_WRITE,
    "update": _VERBS_WRITE,
    "save": _VERBS_WRITE,
    "to_representation": "answers are shown by a ResourceSerializer",
}
_OPTIONS = {
    "source": "name the field as it is sent, and rename its value in to_internal_value",
    "default": "give the verb's parameter the default value",
    "read_only": "declare only what may be sent",
}


class Input(serializers.Serializer[Any]):
    """A request body. Keys that it does not declare are refused.

    `validate_<field>`, `validate` and `to_internal_value` work as in DRF. Fields keep nothing of a request, so those of
    one instance serve all: making them takes longer than their use.
    """

    _field_validators: ClassVar[dict[str, str]] = {}

    class Meta:
        list_serializer_class = ListSerializer

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Raises ImproperlyConfigured for what would have no effect."""
        super().__init_subclass__(**kwargs)
        refuse_hooks(cls, _HOOKS, base=Input)
        for name, field in cls._declared_fields.items():
            if not isinstance(field, StrictField | Input):
                raise ignored(cls.__name__, f"{name} = {type(field).__name__}", "use kit.rest.requests.input_fields")
            for option, instead in _OPTIONS.items():
                if getattr(field, option) not in (None, False, serializers.empty):
                    raise ignored(cls.__name__, f"`{option}` of {name}", instead)
        own = set(dir(cls)) - set(dir(serializers.Serializer))
        cls._field_validators = {name.removeprefix("validate_"): name for name in own if name.startswith("validate_")}
        for name in cls._field_validators.keys() - cls._declared_fields:
            raise ignored(cls.__name__, f"validate_{name}", "it names no field")

    @property
    def fields(self) -> BindingDict:
        return _fields_of(type(self))

    def to_internal_value(self, data: Any) -> Any:
        """Raises ValidationError for anything but an object of declared keys.

        Fields that may be left out are asked only for what was sent: DRF asks all, and each of the others answers with
        an exception, which for an address was half of the price of its body.
        """
        if not isinstance(data, dict):
            raise serializers.ValidationError(expected("object", self.field_name, data))
        fields = self.fields
        unknown = [shown(name) for name in islice((name for name in data if name not in fields), MOST_NAMED)]
        if unknown:
            raise serializers.ValidationError({"non_field_errors": [ErrorDetail(name, UNKNOWN) for name in unknown]})
        values: dict[str, Any] = {}
        problems: dict[str, Any] = {}
        for name, field in fields.items():
            if name in data or field.required:
                try:
                    values[name] = field.run_validation(data.get(name, serializers.empty))
                    if name in self._field_validators:
                        values[name] = getattr(self, self._field_validators[name])(values[name])
                except serializers.ValidationError as problem:
                    problems[name] = problem.detail
                except ValidationError as problem:
                    problems[name] = get_error_detail(problem)
                except InvalidData as problem:
                    problems[name] = [problem.message]
        if problems:
            raise serializers.ValidationError(problems)
        return values


@cache
def _fields_of(input_class: type[Input]) -> BindingDict:
    owner = input_class()
    fields = BindingDict(owner)
    fields.update(owner.get_fields())
    return fields


def taken_flag(body: dict[str, Any], name: str) -> bool:
    """Take a boolean out of a body, so that its Input does not see it; False where it is absent. Raises InvalidData."""
    value = body.pop(name, False)
    if not isinstance(value, bool):
        raise InvalidData(f"Invalid request: {expected('boolean', name, value)}")
    return value
