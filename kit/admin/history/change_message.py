"""The message in the history for a saved form.

The messages are Django's own, so that every page that shows the history can read them. For prices,
stock, statuses and the like they include the values before and after. For free text they have only the field's name: it
may be long, or contain personal data that must be deleted with the person.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import cast

from django import forms
from django.db.models import Model, QuerySet
from django.utils.text import Truncator

from kit.admin.forms.text_fields import Lines
from kit.values.shown_dates import shown_moment

ChangeMessage = Mapping[str, Mapping[str, str | list[str]]]
ModelForm = forms.ModelForm[Model]
FormSet = forms.BaseModelFormSet[Model, ModelForm]

_WITH_VALUES = (
    *(forms.ChoiceField, forms.ModelChoiceField, forms.BooleanField, forms.IntegerField, forms.DecimalField),
    *(forms.DateField, forms.DateTimeField, forms.SplitDateTimeField, Lines),
)
_WITHOUT_VALUES = (forms.MultipleChoiceField, forms.ModelMultipleChoiceField)
_LONGEST = 500
"""Characters of a value: lists show the history of many rows."""


def message_of(form: ModelForm, formsets: Iterable[FormSet], *, is_new: bool) -> list[ChangeMessage]:
    """The message; empty where nothing differs from what was stored."""
    message: list[ChangeMessage] = []
    if is_new:
        message.append({"added": {}})
    elif form.changed_data:
        message.append({"changed": {"fields": changes_of(form)}})
    for formset in formsets:
        message += _messages_of_parts(formset)
    return message


def changes_of(form: ModelForm) -> list[str]:
    """The changed fields, where possible with their values before and after."""
    return [_change(form, name) for name in form.changed_data]


def _messages_of_parts(formset: FormSet) -> list[ChangeMessage]:
    if not (formset.new_objects or formset.changed_objects or formset.deleted_objects):
        return []
    forms_of = {id(form.instance): form for form in formset.forms if hasattr(form, "instance")}
    message: list[ChangeMessage] = [{"added": _named(row, forms_of.get(id(row)))} for row in formset.new_objects]
    for row, _ in formset.changed_objects:
        form = forms_of[id(row)]
        message.append({"changed": {**_named(row, form), "fields": changes_of(form)}})
    message += [{"deleted": _named(row, forms_of.get(id(row)))} for row in formset.deleted_objects]
    return message


def _named(row: Model, form: ModelForm | None) -> dict[str, str]:
    name = getattr(form, "name_in_history", None) or str(row)
    return {"name": str(row._meta.verbose_name), "object": name}


def _change(form: ModelForm, name: str) -> str:
    field = form.fields.get(name)
    label = str(form[name].label) if field else name
    if not isinstance(field, _WITH_VALUES) or isinstance(field, _WITHOUT_VALUES):
        return label
    values = (form.get_initial_for_field(field, name), form.cleaned_data.get(name))
    before, after = (Truncator(display_value(field, value)).chars(_LONGEST) for value in values)
    return f"{label} ({before} → {after})"


def display_value(field: forms.Field | None, value: object) -> str:
    """The value in words, as the form shows it."""
    if value is None or value in ("", []):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(field, forms.ModelMultipleChoiceField):
        return ", ".join(str(field.label_from_instance(row)) for row in cast("Iterable[Model]", value))
    if isinstance(field, forms.ModelChoiceField):
        rows = cast("QuerySet[Model]", field.queryset).model._default_manager
        row = value if isinstance(value, Model) else rows.filter(pk=value).first()
        return str(value) if row is None else str(field.label_from_instance(row))
    if isinstance(field, forms.ChoiceField):
        labels = dict(cast("Iterable[tuple[object, object]]", field.choices))
        return ", ".join(str(labels.get(one, one)) for one in (value if isinstance(value, list) else [value]))
    if isinstance(value, datetime):
        return shown_moment(value)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
