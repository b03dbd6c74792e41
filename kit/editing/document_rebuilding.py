"""Rebuilding search documents: after rows were written without Django, or when the rules of search change."""

from collections.abc import Iterator, Sequence

from django.db import models, transaction

from kit.search.documents import DOCUMENT, document_field
from kit.writes import raw_rows

BATCH = 1000
"""Rows per transaction."""


def rebuild(model: type[models.Model]) -> Iterator[int]:
    """Rebuild the documents of the model's rows. Yields the size of each batch.

    The shop may stay open: each batch is a transaction that locks its rows.
    """
    for keys in batches(model):
        with transaction.atomic():
            rewrite(model, keys)
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
    raw_rows.update(model, [{"id": key, DOCUMENT: text} for key, stored, text in fresh if text != stored])
    return fresh
