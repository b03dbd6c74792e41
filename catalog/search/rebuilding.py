"""Rebuilding documents and entries: after rows were written without Django, or when the rules of search change."""

from collections.abc import Iterator

from django.apps import apps
from django.db import models, transaction

from catalog import search
from catalog.models import Product
from kit.editing.document_rebuilding import batches, rewrite
from kit.search.documents import document_field


def documented() -> list[type[models.Model]]:
    """The models whose rows keep a document. Products come last: their entries contain variants' documents too."""
    return sorted((model for model in apps.get_models() if document_field(model)), key=lambda model: model is Product)


def rebuild(model: type[models.Model]) -> Iterator[int]:
    """Rebuild the documents of the model's rows, and the entries of products. Yields the size of each batch.

    The shop may stay open: each batch is a transaction that locks its rows.
    """
    for keys in batches(model):
        with transaction.atomic():
            with search.paused():
                rewrite(model, keys)
            if model._meta.label == Product._meta.label:
                search.renew(keys)
        yield len(keys)
