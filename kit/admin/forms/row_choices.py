"""Fields that choose rows of another table."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.forms.models import ModelChoiceIterator

from kit.values.text import is_storable

_NOBODY = "?"


class RowChoice(forms.ModelChoiceField[Any]):
    """One row. Text that no database can hold names none, where Django would ask the database."""

    def to_python(self, value: object) -> Model | None:
        return super().to_python(_askable(value))

    def bound_data(self, data: object, initial: object) -> object:
        return _askable(super().bound_data(data, initial))


class RowChoices(forms.ModelMultipleChoiceField[Any]):
    """Some rows; as RowChoice. At most as many as a form has fields: Django checks each, while SQLite stays locked."""

    def clean(self, value: Iterable[object] | None) -> QuerySet[Model]:
        words = [_askable(word) for word in value or ()]
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        if len(words) > most:
            raise ValidationError(f"At most {most} can be chosen at once.")
        return super().clean(words)

    def bound_data(self, data: object, initial: object) -> list[object]:
        return [_askable(word) for word in super().bound_data(data, initial) or ()]


def _askable(word: object) -> object:
    return word if is_storable(str(word)) else _NOBODY


def offer_not_deleted(field: forms.ModelChoiceField[Model], *, chosen: object) -> None:
    """Narrow the field to rows that are not deleted and those chosen already: keys, rows, or one of them."""
    kept = chosen if isinstance(chosen, list | tuple) else [chosen]
    keys = [getattr(one, "pk", one) for one in kept if one is not None]
    rows = field.queryset
    if rows is not None and hasattr(rows.model, "deleted_at"):
        field.queryset = rows.filter(Q(deleted_at=None) | Q(pk__in=keys))


def only_choice(field: Any) -> list[Model] | Model | None:
    """The initial value of a relation that can refer to a single row; deleted and disabled ones do not count."""
    model = field.related_model
    usable = {"is_enabled": True} if hasattr(model, "is_enabled") else {}
    rows = list(model._default_manager.filter(deleted_at=None, **usable)[:2])
    if len(rows) != 1:
        return None
    return rows if field.many_to_many else rows[0]


def read_once(form: type[forms.ModelForm[Model]], name: str) -> None:
    """Read what the field offers now, once for all forms of the class; the field itself may be other classes' too."""
    field = deepcopy(form.base_fields[name])
    if isinstance(field, forms.ModelChoiceField):
        field.choices = list(cast("ModelChoiceIterator[Model]", field.choices))
    form.base_fields[name] = field
