"""Reads: a page of a resource, or one row of it by id. No model instance is built."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count
from typing import Any, Literal

from django.db import models
from django.db.models import QuerySet

from commerce.kit.core.actor import Actor
from commerce.kit.core.conditions import EVERYTHING, Condition, Every, Found, Is, as_q, entry_relation, keys_of
from commerce.kit.core.database import Row
from commerce.kit.core.paging import LARGEST_OFFSET, Order, Page
from commerce.kit.core.search.conditions import answerable, has_words
from commerce.kit.core.selection import Selection
from commerce.kit.projection import searches, statements
from commerce.kit.projection.bounds import Allowance
from commerce.kit.projection.fields import ResourceSerializerClass
from commerce.kit.projection.levels import Level
from commerce.kit.projection.placeholders import (
    ActorShape,
    NoPlaceholder,
    Placeholders,
    actor_shape,
    actor_values,
    split,
)
from commerce.kit.projection.plan import compile_plan
from commerce.kit.projection.relatives import Reader
from commerce.kit.projection.rows import Answer
from commerce.kit.projection.sorting import sort_expression
from commerce.kit.projection.visibility import visible

MOST_KEPT_VALUES = 64
"""A list of values has a shape for each of its lengths: kept for all of them, statements would fill the memory."""


@dataclass(frozen=True, slots=True)
class ListQuery:
    """One read: which fields, which rows, in which order, how many; relations that a flag widens to chain or tree.

    allowance: of what the answer holds, where it is shared with other reads.
    """

    selection: Selection
    condition: Condition = EVERYTHING
    order: Order = Order()
    page: Page = Page(limit=1)
    with_deleted: bool = False
    widened: frozenset[str] = frozenset()
    context: Mapping[str, Any] = field(default_factory=dict)
    allowance: Allowance | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of answers and the exact number of rows on all pages."""

    answers: list[Answer]
    count: int


def read_page(serializer_class: ResourceSerializerClass, query: ListQuery, actor: Actor) -> Listed:
    """The page, its relations, and the count: one statement for page and count, one for each relation.

    A page behind the last row costs one statement more, for the count alone. Raises InvalidData for more than the
    allowance.
    """
    level = compile_plan(serializer_class, query.selection, query.widened, with_deleted=query.with_deleted)
    page = query.page
    rows = _rows(level, query, actor, "counted page", page.limit, page.offset) if page.limit else []
    if not rows:
        counted = _rows(level, query, actor, "count") if page.offset or not page.limit else []
        return Listed([], counted[0][0] if counted else 0)
    allowance = query.allowance or Allowance()
    allowance.take_rows(level, len(rows))
    reader = Reader(actor, query.with_deleted, query.context, allowance)
    return Listed(reader.read(level, rows), rows[0][-1])


def read_one(
    serializer_class: ResourceSerializerClass, id: str, query: ListQuery, actor: Actor, *, by: str = "pk"
) -> Answer | None:
    """The row with that id and everything selected below it; None where the actor may not see it.

    by: the unique column that the id stands in. The query's condition must be true of the row too.
    """
    level = compile_plan(serializer_class, query.selection, query.widened, with_deleted=query.with_deleted)
    named = Is(by, id)
    condition = named if query.condition == EVERYTHING else Every((named, query.condition))
    by_id = ListQuery(query.selection, condition, with_deleted=query.with_deleted)
    rows = _rows(level, by_id, actor, "page", 1, 0)
    answers = Reader(actor, query.with_deleted, query.context, query.allowance or Allowance()).read(level, rows)
    return answers[0] if answers else None


Part = Literal["page", "counted page", "count"]
"""What of a list one statement reads."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What two requests share when one statement serves both: everything but the values."""

    part: Part
    actor: ActorShape
    with_deleted: bool
    condition: Condition
    order: Order


def _rows(level: Level, query: ListQuery, actor: Actor, part: Part, *window: int) -> list[Row]:
    """The rows of one statement; `window`, of a page, is its limit and offset."""
    condition = query.condition
    if has_words(condition):
        condition = answerable(condition, level.model, partial(visible, actor=actor, with_deleted=query.with_deleted))
    statement: statements.Statement | None = None
    emptied, found = split(condition)
    values = (*actor_values(actor), *found)
    if len(found) <= MOST_KEPT_VALUES:
        order = Order() if part == "count" else query.order
        shape = _Shape(part, actor_shape(actor), query.with_deleted, emptied, order)
        statement = _kept(level, shape)
    if statement is None:
        statement = _compiled(level, actor, query.with_deleted, condition, query.order, part=part)
    return statement.run((*values, min(sum(window), LARGEST_OFFSET), *window)) if statement else []


@lru_cache(maxsize=512)
def _kept(level: Level, shape: _Shape) -> statements.Statement | None:
    """The statement for every request of that shape; None where a lookup changes its value on the link."""
    placeholders = Placeholders()
    try:
        actor = placeholders.actor(shape.actor)
        first = len(actor_values(actor))
        numbers = count(first)
        condition = placeholders.condition(shape.condition, numbers)
        statement = _compiled(level, actor, shape.with_deleted, condition, shape.order, part=shape.part)
        if statement is None:
            return None
        required = range(first, next(numbers))
        times = None if has_words(condition) else 2 if shape.part == "counted page" else 1
        template = placeholders.template(statement.parameters, required=required, times=times)
    except NoPlaceholder:
        return None
    return statements.Statement(statement.text, template)


def _compiled(
    level: Level, actor: Actor, with_deleted: bool, condition: Condition, order: Order, *, part: Part
) -> statements.Statement | None:
    if has_words(condition):
        return _compiled_search(level, actor, with_deleted, condition, order, part=part)
    gate = partial(visible, actor=actor, with_deleted=with_deleted)
    queryset = gate(level.model).filter(as_q(condition, level.model, gate))
    if part == "count":
        return statements.count(queryset)
    expression = sort_expression(order.key, actor, with_deleted=with_deleted)
    rows = statements.ordered(queryset, expression, descending=order.descending)
    return statements.page(rows, level.columns, counted=part == "counted page")


def _compiled_search(
    level: Level, actor: Actor, with_deleted: bool, condition: Condition, order: Order, *, part: Part
) -> statements.Statement | None:
    """As _compiled, for searches of words: matches are collected once (commerce/kit/projection/searches.py)."""
    gate = partial(visible, actor=actor, with_deleted=with_deleted)
    first, others = _parted(condition)
    if first is None:
        found, has_decided = keys_of(condition, level.model, gate), False
    else:
        found, has_decided = _found(level.model, first, actor, with_deleted=with_deleted)
    rows: QuerySet[models.Model] = QuerySet(level.model) if has_decided else gate(level.model)
    search = searches.Search(
        level.model,
        found,
        rows.filter(as_q(others, level.model, gate)),
        is_whole=has_decided and others == EVERYTHING,
        expression=None if part == "count" else sort_expression(order.key, actor, with_deleted=with_deleted),
        descending=order.descending,
    )
    if part == "count":
        return searches.count(search)
    return searches.page(search, level.columns, counted=part == "counted page")


def _parted(condition: Condition) -> tuple[Found | None, Condition]:
    """Split off the search that all rows must meet. None, EVERYTHING if the whole condition is the search."""
    match condition:
        case Found():
            return condition, EVERYTHING
        case Every((Found() as first, *others)):
            return first, Every(tuple(others)) if others else EVERYTHING
    return None, EVERYTHING


def _found(
    model: type[models.Model], search: Found, actor: Actor, *, with_deleted: bool
) -> tuple["QuerySet[models.Model]", bool]:
    """The keys of the rows that the search finds, and whether these are exactly those that the actor may see."""
    relation = entry_relation(model)
    if relation is None:
        return QuerySet(model).filter(as_q(search.part, model, QuerySet)).values_list("pk"), False
    entries: Any = relation.related_model
    seen = entries.objects.seen_by(actor, with_deleted=with_deleted)
    held = entries.objects.all() if seen is None else seen
    return held.filter(as_q(search.part, entries, QuerySet)).values_list(relation.field.attname), seen is not None
