"""The statements of a list: its page, its count, or the keys of all its rows."""

from functools import partial
from typing import Any, Literal

from django.db import models
from django.db.models import F, QuerySet

from kit.domain.actor import Actor
from kit.query.conditions import EVERYTHING, Condition, Either, Every, Found, as_q, entry_relation, keys_of, parts_of
from kit.query.paging import Order
from kit.reads.declarations.sorting import related_values, sort_expression
from kit.reads.declarations.visibility import visible
from kit.reads.lists import listings, searches
from kit.reads.lists.kept_counts import kept_count
from kit.reads.lists.kept_ranges import id_bounds, numbered_from, range_count
from kit.reads.lists.search_parts import Search
from kit.reads.plans.levels import Level
from kit.reads.sql import statements
from kit.search.conditions import has_words
from kit.search.ranking import Relevance

Part = Literal["page", "counted page", "count", "keys"]
"""What of a list one statement reads. Only pages have an order."""


def compiled(
    level: Level, actor: Actor, with_deleted: bool, condition: Condition, order: Order, *, part: Part
) -> statements.Statement | None:
    """The statement; pages are run with REACH and WINDOW as the last values. None where nothing can be found."""
    if has_words(condition):
        return _compiled_search(level, actor, with_deleted, condition, order, part=part)
    gate = partial(visible, actor=actor, with_deleted=with_deleted)
    rows = visible(level.model, actor, with_deleted=with_deleted, bounds=id_bounds(condition))
    matching = rows.filter(as_q(condition, level.model, gate))
    listed = listings.candidates(rows, condition, level.model, gate, actor, with_deleted=with_deleted)
    if part == "keys":
        return statements.of(listed[0], ["id"]) if listed else statements.of(matching.order_by(), ["pk"])
    total = None
    if part != "page":
        total = (
            kept_count(rows, condition, actor, with_deleted=with_deleted)
            or range_count(rows, condition, actor, with_deleted=with_deleted)
            or statements.count(listed[0] if listed else matching)
        )
    if part == "count":
        return total
    expression = sort_expression(order.key, actor, with_deleted=with_deleted)
    for each in listed:
        if listings.sorts_by(each, level.model, expression):
            return listings.page(each, level.model, level.columns, expression, descending=order.descending, total=total)
    begins = numbered_from(rows, condition, actor, expression, descending=order.descending, with_deleted=with_deleted)
    ordered = statements.ordered(matching.filter(begins), expression, descending=order.descending)
    return statements.page(ordered, level.columns, total)


def _compiled_search(
    level: Level, actor: Actor, with_deleted: bool, condition: Condition, order: Order, *, part: Part
) -> statements.Statement | None:
    """Like `compiled`, for searches of words: matches are collected once (kit/reads/lists/searches.py)."""
    gate = partial(visible, actor=actor, with_deleted=with_deleted)
    first, others = _split_search(condition)
    alternatives: QuerySet[models.Model] | None = None
    if first is None:
        keys, entries_decide, entry = keys_of(condition, level.model, gate), False, None
    elif isinstance(first, Either):
        keys, entries_decide, entry, alternatives = _keys_found_by_any(
            level.model, first, actor, with_deleted=with_deleted
        )
    else:
        keys, entries_decide, entry = _keys_found(level.model, first, actor, with_deleted=with_deleted)
    rows: QuerySet[models.Model] = QuerySet(level.model) if entries_decide else gate(level.model)
    expression = None if part in ("count", "keys") else sort_expression(order.key, actor, with_deleted=with_deleted)
    related = None if expression is None else related_values(order.key, actor, with_deleted=with_deleted)
    listing = gate(level.model).listed(actor, with_deleted=with_deleted) if entries_decide else None
    sorted_by = F(related.column) if related else expression
    search = Search(
        level.model,
        keys,
        rows.filter(as_q(others, level.model, gate)),
        is_whole=entries_decide and others == EVERYTHING,
        expression=expression,
        descending=order.descending,
        alternatives=alternatives,
        entry=entry,
        related=related,
        listing=listing if listing is not None and listings.sorts_by(listing, level.model, sorted_by) else None,
        relevance=order.key if isinstance(order.key, Relevance) else None,
    )
    if part == "count":
        return searches.count(search)
    if part == "keys":
        return searches.keys(search)
    return searches.page(search, level.columns, counted=part == "counted page")


def _split_search(condition: Condition) -> tuple[Found | Either | None, Condition]:
    """Split off a search that all rows must meet, or an `$or` that has a search. Without either: None, EVERYTHING.

    In a conjunction, a search comes first (kit/search/conditions.py).
    """
    conditions = tuple(parts_of(condition))
    for place, part in enumerate(conditions):
        if isinstance(part, Found) or (
            isinstance(part, Either) and any(isinstance(each, Found) for each in part.parts)
        ):
            return part, Every((*conditions[:place], *conditions[place + 1 :]))
    return None, EVERYTHING


def _keys_found(
    model: type[models.Model], search: Found, actor: Actor, *, with_deleted: bool
) -> tuple["QuerySet[models.Model]", bool, str | None]:
    """The keys of the rows that the search finds.

    Also whether search entries decide what the actor may see, so that all these rows are visible; and if the keys are
    read from search entries, the column of these that has the key.
    """
    relation = entry_relation(model)
    if relation is None:
        return QuerySet(model).filter(as_q(search.part, model, QuerySet)).values_list("pk"), False, None
    entries: Any = relation.related_model
    seen, key = entries.objects.seen_by(actor, with_deleted=with_deleted), relation.field.attname
    held = entries.objects.all() if seen is None else seen
    return held.filter(as_q(search.part, entries, QuerySet)).values_list(key), seen is not None, key


def _keys_found_by_any(
    model: type[models.Model], either: Either, actor: Actor, *, with_deleted: bool
) -> tuple["QuerySet[models.Model, Any]", bool, None, "QuerySet[models.Model] | None"]:
    """Like _keys_found, for the rows that meet one of these conditions: entries decide about the searches' matches.

    Last in the result: the rows that meet one of the other conditions, if there are any.
    """
    gate = partial(visible, actor=actor, with_deleted=with_deleted)
    word_searches = [each for each in either.parts if isinstance(each, Found)]
    searches_of_words = [_keys_found(model, each, actor, with_deleted=with_deleted) for each in word_searches]
    if not all(entries_decide for _, entries_decide, _ in searches_of_words):
        return keys_of(either, model, gate), False, None, None
    others = Either(tuple(each for each in either.parts if not isinstance(each, Found)))
    alternatives = gate(model).filter(as_q(others, model, gate)) if others.parts else None
    (first, _, _), *rest = searches_of_words
    return first.union(*(each for each, _, _ in rest)) if rest else first, True, None, alternatives
