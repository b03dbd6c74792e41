"""Each text column is either erased with its person, or contains no personal data."""

from django.apps import apps
from django.db import models

from tests.architecture.erased_columns import OF_NOBODY, OF_PERSONS, decided

TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def existing() -> dict[str, set[str]]:
    """The columns of each table, without keys: those are ids, or digests."""
    found = {
        model._meta.label_lower: {
            field.name
            for field in model._meta.local_concrete_fields
            if isinstance(field, TEXTS) and not field.primary_key
        }
        for model in apps.get_models(include_auto_created=True)
        if not model._meta.proxy
    }
    return {model: columns for model, columns in found.items() if columns}


def test_every_text_is_decided() -> None:
    listed, there = decided(), existing()
    undecided = {model: columns - listed.get(model, set()) for model, columns in there.items()}
    gone = {model: columns - there.get(model, set()) for model, columns in listed.items()}
    assert {model: columns for model, columns in undecided.items() if columns} == {}, "erase it, or say why not"
    assert {model: columns for model, columns in gone.items() if columns} == {}


def test_no_column_is_decided_twice() -> None:
    assert not OF_PERSONS.keys() & OF_NOBODY.keys()
    assert not [model for model, (erased, kept) in OF_PERSONS.items() if {*erased.split()} & {*kept.split()}]
