"""Rebuilding only what the rules of folding and ranking have changed, for migrations."""

import re
from collections.abc import Iterable, Iterator, Sequence

from django.db import connection, models, transaction

from catalog import search
from kit.editing.document_rebuilding import batches, rewrite
from kit.search.text import SPACELESS

_SPACELESS = re.compile(f"[{SPACELESS}]")


def refold(documented: Iterable[type[models.Model]]) -> Iterator[int]:
    """Rebuild documents, and the entries of products whose terms they change. Yields the size of each batch.

    documented: the models, as they are at the migration. The shop may stay open: each batch is a transaction that locks
    its rows.
    """
    for model in documented:
        for keys in batches(model):
            with transaction.atomic():
                with search.paused():
                    rewritten = rewrite(model, keys)
                changed = [key for key, stored, fresh in rewritten if _changes_entry(stored, fresh)]
                search.refresh(_products_of(model, changed))
            yield len(keys)


def _changes_entry(stored: str, fresh: str) -> bool:
    """Whether the terms of an entry differ: the function that computes them has changed for scripts without spaces.

    SQLite's terms are the whole documents, PostgreSQL's the first two lines.
    """
    if connection.vendor == "sqlite":
        return stored != fresh
    return stored.split("\n")[:2] != fresh.split("\n")[:2] or bool(_SPACELESS.search(fresh))


def _products_of(model: type[models.Model], keys: Sequence[str]) -> list[str]:
    """The products whose entries contain the documents of these rows."""
    if model._meta.model_name == "productvariant":
        return sorted(set(model._default_manager.filter(pk__in=keys).values_list("product_id", flat=True)))
    return [*keys] if model._meta.model_name == "product" else []
