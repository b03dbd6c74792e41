"""Fields that choose rows of another table."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, cast

from django import forms
from django.db.models import Q

from commerce.kit.core.text import is_storable

_NOBODY = "?"


class RowChoice(forms.ModelChoiceField[Any]):
    """One row. Text that no database can hold names none, where Django would ask the database."""

    def to_python(self, value: Any) -> Any:
        return super().to_python(_askable(value))

    def bound_data(self, data: Any, initial: Any) -> Any:
        return _askable(super().bound_data(data, initial))


class RowChoices(forms.ModelMultipleChoiceField[Any]):
    """Some rows; as RowChoice."""

    def clean(self, value: Any) -> Any:
        return super().clean([_askable(word) for word in value or ()])

    def bound_data(self, data: Any, initial: Any) -> Any:
        return [_askable(word) for word in super().bound_data(data, initial) or ()]


def _askable(word: Any) -> Any:
    return word if is_storable(str(word)) else _NOBODY


def offer_not_deleted(field: forms.ModelChoiceField[Any], *, chosen: Any) -> None:
    """Narrow the field to rows that are not deleted and those chosen already: keys, rows, or one of them."""
    kept = chosen if isinstance(chosen, list | tuple) else [chosen]
    keys = [getattr(one, "pk", one) for one in kept if one is not None]
    rows = field.queryset
    if rows is not None and hasattr(rows.model, "deleted_at"):
        field.queryset = rows.filter(Q(deleted_at=None) | Q(pk__in=keys))


def read_once(form: type[forms.ModelForm[Any]], name: str) -> None:
    """Read what the field offers now, once for all forms of the class; the field itself may be other classes' too."""
    field = deepcopy(form.base_fields[name])
    if isinstance(field, forms.ModelChoiceField):
        field.choices = list(cast("Iterable[Any]", field.choices))
    form.base_fields[name] = field
