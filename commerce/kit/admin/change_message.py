"""The message in the history for a saved form.

The messages are Django's own, so that every page that shows the history can read them. For prices,
stock, statuses and the like they include the values before and after. For free text they have only the field's name: it
may be long, or contain personal data that must be deleted with the person.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone

from commerce.kit.admin.text_fields import Lines

Message = list[dict[str, dict[str, Any]]]

_TOLD = (
    *(forms.ChoiceField, forms.ModelChoiceField, forms.BooleanField, forms.IntegerField, forms.DecimalField),
    *(forms.DateField, forms.DateTimeField, forms.SplitDateTimeField, Lines),
)
_NOT_TOLD = (forms.MultipleChoiceField, forms.ModelMultipleChoiceField)


def message_of(form: Any, formsets: Iterable[Any], *, is_new: bool) -> Message:
    """The message; empty where nothing differs from what was stored."""
    message: Message = []
    if is_new:
        message.append({"added": {}})
    elif form.changed_data:
        message.append({"changed": {"fields": changes_of(form)}})
    for formset in formsets:
        message += _parts(formset)
    return message


def changes_of(form: Any) -> list[str]:
    """The changed fields, where possible with their values before and after."""
    return [_change(form, name) for name in form.changed_data]


def _parts(formset: Any) -> Message:
    if not (formset.new_objects or formset.changed_objects or formset.deleted_objects):
        return []
    forms_of = {id(form.instance): form for form in formset.forms if hasattr(form, "instance")}
    message: Message = [{"added": _named(row, forms_of.get(id(row)))} for row in formset.new_objects]
    for row, _ in formset.changed_objects:
        form = forms_of[id(row)]
        message.append({"changed": {**_named(row, form), "fields": changes_of(form)}})
    message += [{"deleted": _named(row, forms_of.get(id(row)))} for row in formset.deleted_objects]
    return message


def _named(row: Any, form: Any) -> dict[str, str]:
    name = getattr(form, "name_in_history", None) or str(row)
    return {"name": str(row._meta.verbose_name), "object": name}


def _change(form: Any, name: str) -> str:
    field = form.fields.get(name)
    label = str(form[name].label) if field else name
    if not isinstance(field, _TOLD) or isinstance(field, _NOT_TOLD):
        return label
    before, after = form.get_initial_for_field(field, name), form.cleaned_data.get(name)
    return f"{label} ({word(field, before)} → {word(field, after)})"


def word(field: Any, value: Any) -> str:
    """The value in words, as the form shows it."""
    if value is None or value in ("", []):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(field, forms.ModelMultipleChoiceField):
        return ", ".join(str(field.label_from_instance(row)) for row in value)
    if isinstance(field, forms.ModelChoiceField):
        rows: Any = field.queryset
        row = value if hasattr(value, "pk") else rows.model._default_manager.filter(pk=value).first()
        return str(value) if row is None else str(field.label_from_instance(row))
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        return str(dict(choices).get(value, value))
    if isinstance(value, datetime):
        return f"{timezone.localtime(value) if timezone.is_aware(value) else value:%Y-%m-%d %H:%M}"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
