"""Rebuilding documents and entries: after rows were written without Django, or when the rules of search change."""

from collections.abc import Iterator, Sequence

from django.apps import apps
from django.db import models, transaction

from catalog import search
from catalog.models import Product
from kit.search.documents import DOCUMENT, document_field
from kit.writes import raw_rows

BATCH = 1000
"""Rows per transaction."""


def documented() -> list[type[models.Model]]:
    """The models whose rows keep a document. Products come last: their entries contain variants' documents too."""
    return sorted((model for model in apps.get_models() if document_field(model)), key=lambda model: model is Product)


def rebuild(model: type[models.Model]) -> Iterator[int]:
    """Rebuild the documents of the model's rows, and the entries of products. Yields the size of each batch.

    The shop may stay open: each batch is a transaction that locks its rows.
    """
    for keys in batches(model):
        with transaction.atomic():
            rewrite(model, keys)
            if model._meta.label == Product._meta.label:
                search.renew(keys)
        yield len(keys)


def batches(model: type[models.Model]) -> Iterator[list[str]]:
    """The keys of all rows of the model, BATCH at a time."""
    last = ""
    while keys := list(model._default_manager.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        last = keys[-1]
        yield keys


def rewrite(model: type[models.Model], keys: Sequence[str]) -> list[tuple[str, str, str]]:
    """Rebuild the documents of these rows. Returns each key, with the document before and now."""
    field = document_field(model)
    if field is None:
        raise TypeError(f"{model.__name__} has no document")
    rows = model._default_manager.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True)
    texts = rows.values_list("pk", DOCUMENT, *field.columns)
    fresh = [(key, stored, field.built(columns)) for key, stored, *columns in texts]
    with search.paused():
        raw_rows.update(model, [{"id": key, DOCUMENT: text} for key, stored, text in fresh if text != stored])
    return fresh
