"""The bodies that create and change rows which staff maintain: their fields follow from the columns that can be set."""

from collections.abc import Mapping
from typing import Any

from django.db import models

from kit.editing.columns import is_required
from kit.editing.verbs import RowVerbs
from kit.reads.filters.framework_hooks import ignored
from kit.rest.requests.input_fields import (
    BlankField,
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    DateTimeField,
    DecimalField,
    DictField,
    FloatField,
    IntegerField,
    ListField,
    StrictField,
)
from kit.rest.requests.inputs import Input
from kit.values.money import MoneyField
from kit.values.text import with_article

Sendable = StrictField | Input
_KINDS: tuple[tuple[type[models.Field[Any, Any]], type[StrictField]], ...] = (
    (MoneyField, DecimalField),
    (models.BooleanField, BooleanField),
    (models.DateTimeField, DateTimeField),
    (models.DateField, DateField),
    (models.FloatField, FloatField),
    (models.IntegerField, IntegerField),
)
"""The first class that a column is of."""


def row_input(verbs: RowVerbs[Any], name: str, *, is_new: bool, **others: Sendable | None) -> type[Input]:
    """Return an Input class of that name, with a field for each of the verbs' columns.

    others: further fields, or replacements; None leaves a column out.
    """
    derived = {column: _field(verbs.model, column, is_new=is_new) for column in verbs.columns if column not in others}
    fields = derived | {key: field for key, field in others.items() if field is not None}
    missing = [key for key, field in fields.items() if field is None]
    if missing:
        raise ignored(name, ", ".join(missing), "give each a field, or None")
    about = (
        f"A new {verbs.noun}." if is_new else f"Changes to {with_article(verbs.noun)}. Omitted fields are not changed."
    )
    return type(name, (Input,), {"__doc__": about, **fields})


def batch_input(verbs: RowVerbs[Any], name: str, inputs: Mapping[str, type[Input]]) -> type[Input]:
    """Return an Input class of that name for `create`, `update` and `delete`. inputs: of a single row, by action."""
    key = {"__doc__": "Changes to a row, identified by its id.", "id": CharField(allow_blank=False)}
    changed = type(f"{name.removesuffix('Input')}ChangesInput", (inputs["update"],), key)
    members = {
        "create": inputs["create"](many=True, required=False),
        "update": changed(many=True, required=False),
        **({"delete": ListField(required=False)} if verbs.can_delete else {}),
    }
    return type(name, (Input,), {"__doc__": "Rows to create, change and delete, at most 500 in total.", **members})


def _field(model: type[models.Model], column: str, *, is_new: bool) -> Sendable | None:
    meta = model._meta
    columns = {one.attname: one for one in meta.concrete_fields} | {one.name: one for one in meta.many_to_many}
    field: Any = columns.get(column)
    if field is None:
        return None
    if field.many_to_many:
        return ListField(required=False)
    given: dict[str, Any] = {"allow_null": field.null}
    given["required"] = is_new and is_required(field)
    if isinstance(field, models.JSONField):
        return DictField(**given)
    if field.choices:
        return ChoiceField(choices=[value for value, _ in field.flatchoices], **given)
    if isinstance(field, models.ForeignKey):
        return CharField(allow_blank=False, **given)
    if isinstance(field, models.CharField | models.TextField):
        if field.blank and not field.null:
            return BlankField(**given | {"allow_null": True}, max_length=field.max_length)
        return CharField(allow_blank=field.blank, max_length=field.max_length, **given)
    return next(kind(**given) for of, kind in _KINDS if isinstance(field, of))
