"""Converts searches for words to conditions that the database can evaluate.

A model with a relation `search` is searched by the entries of that relation, a model with a document by its document.
All other models have few rows: their texts are read and compared here. A model may have a search engine instead.
"""

from collections.abc import Iterable
from typing import Any

from django.db import models

from kit.query.conditions import EVERYTHING, Condition, Either, Every, Found, Gate, Is, Not, Some, Words, entry_relation
from kit.search.documents import DOCUMENT, columns_of
from kit.search.engines import found_by_engine
from kit.search.queries import EntryQuery, all_of, any_of, query_for
from kit.search.text import is_found, piece, without_implied


def has_words(condition: Condition) -> bool:
    """Whether any part of the condition searches for words."""
    match condition:
        case Words() | Found():
            return True
        case Every(parts) | Either(parts):
            return any(map(has_words, parts))
        case Some(_, part) | Not(part):
            return has_words(part)
    return False


def answerable(condition: Condition, model: type[models.Model], gate: Gate) -> Condition:
    """The condition on rows of the model, with all words converted to what the database can evaluate.

    Conditions of words only are merged into one search if that is possible. In a conjunction the search comes first.
    """
    if _is_search(condition):
        return _search(condition, model, gate)
    match condition:
        case Every(parts):
            searches = tuple(part for part in parts if _is_search(part))
            others = tuple(answerable(part, model, gate) for part in parts if not _is_search(part))
            return Every((_search(Every(searches), model, gate), *others)) if searches else Every(others)
        case Either(parts):
            return Either(tuple(answerable(part, model, gate) for part in parts))
        case Not(part):
            return Not(answerable(part, model, gate))
        case Some(relation, part) if has_words(part):
            related: Any = model._meta.get_field(relation).related_model
            return Some(relation, answerable(part, related, gate))
    return condition


def entry_condition(words: Iterable[str]) -> Condition:
    """The condition on search entries that all words are found in."""
    return _on_entry(query_for(words))


def _is_search(condition: Condition) -> bool:
    match condition:
        case Words():
            return True
        case Every(parts) | Either(parts):
            return bool(parts) and all(map(_is_search, parts))
    return False


def _search(condition: Condition, model: type[models.Model], gate: Gate) -> Condition:
    """Convert a condition of words only."""
    by_engine = _by_engine(condition, model)
    if by_engine is not None:
        return by_engine
    if entry_relation(model) is not None:
        query = _query(condition)
        return _split(condition, model, gate) if query is None else Found(_on_entry(query))
    return Found(_on_document(condition)) if columns_of(model) else _compared(condition, model, gate)


def _by_engine(condition: Condition, model: type[models.Model]) -> Condition | None:
    """The rows that the model's search engine finds; None without one, or if it fails."""
    match condition:
        case Words(_, words):
            keys = found_by_engine(model, words)
            return None if keys is None else Is("pk__in", keys)
        case Every(parts) | Either(parts):
            found = [_by_engine(part, model) for part in parts]
            whole = tuple(part for part in found if part is not None)
            return type(condition)(whole) if len(whole) == len(found) else None
    return None


def _split(condition: Condition, model: type[models.Model], gate: Gate) -> Condition:
    """Convert to several searches, where no single one can express the condition."""
    match condition:
        case Every(parts):
            return Every(tuple(_search(part, model, gate) for part in parts))
        case Either(parts):
            return Either(tuple(_search(part, model, gate) for part in parts))
    raise AssertionError(f"{condition} is a single search")


def _query(condition: Condition) -> EntryQuery | None:
    match condition:
        case Words(_, words):
            return query_for(words)
        case Every(parts) | Either(parts):
            queries = [query for query in map(_query, parts) if query is not None]
            if len(queries) == len(parts):
                return all_of(queries) if isinstance(condition, Every) else any_of(queries)
    return None


def _on_entry(query: EntryQuery) -> Condition:
    terms = (Is("terms__matches", query.terms),) if query.terms else ()
    ends = (Is("terms__ends", end) for end in query.ends)
    parts = (Is("terms__contains", part) for part in query.parts)
    return Every((*terms, *ends, *parts, *(Is("marked__contains", text) for text in query.marked)))


def _on_document(condition: Condition) -> Condition:
    match condition:
        case Words(_, words):
            return Every(tuple(Is(f"{DOCUMENT}__contains", piece(word)) for word in without_implied(words)))
        case Every(parts):
            return Every(tuple(map(_on_document, parts)))
        case Either(parts):
            return Either(tuple(map(_on_document, parts)))
    raise AssertionError(f"{condition} is no search")


def _compared(condition: Condition, model: type[models.Model], gate: Gate) -> Condition:
    match condition:
        case Words(columns, words):
            rows = gate(model).order_by("pk").values_list("pk", *columns)
            return Is("pk__in", tuple(key for key, *texts in rows if is_found(words, texts)))
        case Every(parts):
            return Every(tuple(_compared(part, model, gate) for part in parts))
        case Either(parts):
            return Either(tuple(_compared(part, model, gate) for part in parts))
    return EVERYTHING
