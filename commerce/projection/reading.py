"""Reads: a page of a resource, or one row of it by id. No model instance is built."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count
from typing import Any

from django.db.models import QuerySet

from commerce.core.actor import Actor
from commerce.core.conditions import EVERYTHING, Condition, Is, as_q
from commerce.core.database import Row
from commerce.core.paging import Order, Page
from commerce.core.selection import Selection
from commerce.projection import statements
from commerce.projection.bounds import Allowance
from commerce.projection.fields import ResourceSerializerClass
from commerce.projection.levels import Level
from commerce.projection.markers import ActorShape, Marked, Unmarkable, actor_shape, actor_values, split
from commerce.projection.plan import compile_plan
from commerce.projection.relatives import Reader
from commerce.projection.rows import Answer
from commerce.projection.sorting import sort_expression
from commerce.projection.visibility import visible

MOST_KEPT_VALUES = 64
"""A list of values has a shape for each of its lengths: kept for all of them, statements would fill the memory."""


@dataclass(frozen=True, slots=True)
class ListQuery:
    """One read: which fields, which rows, in which order, how many; relations that a flag widens to chain or tree.

    allowance: of related objects, where it is shared with other reads.
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

    A page behind the last row costs one statement more, for the count alone.
    """
    level = compile_plan(serializer_class, query.selection, query.widened)
    rows = _page_rows(level, query, actor, counted=True)
    if not rows:
        return Listed([], _count(level, query, actor) if query.page.offset or not query.page.limit else 0)
    reader = Reader(actor, query.with_deleted, query.context, query.allowance or Allowance())
    return Listed(reader.read(level, rows), rows[0][-1])


def read_one(serializer_class: ResourceSerializerClass, id: str, query: ListQuery, actor: Actor) -> Answer | None:
    """The row with that id and everything selected below it; None where the actor may not see it."""
    level = compile_plan(serializer_class, query.selection, query.widened)
    by_id = ListQuery(query.selection, Is("pk", id), with_deleted=query.with_deleted)
    rows = _page_rows(level, by_id, actor, counted=False)
    answers = Reader(actor, query.with_deleted, query.context, query.allowance or Allowance()).read(level, rows)
    return answers[0] if answers else None


@dataclass(frozen=True, slots=True)
class _PageShape:
    """What two requests share when one statement serves both: everything but the values."""

    actor: ActorShape
    with_deleted: bool
    condition: Condition
    order: Order
    counted: bool


def _page_rows(level: Level, query: ListQuery, actor: Actor, *, counted: bool) -> list[Row]:
    shape = actor_shape(actor)
    statement: statements.Statement | None = None
    values: tuple[Any, ...] = ()
    if shape is not None:
        emptied, found = split(query.condition)
        values = (*actor_values(actor), *found)
        if len(found) <= MOST_KEPT_VALUES:
            statement = _kept(level, _PageShape(shape, query.with_deleted, emptied, query.order, counted))
    if statement is None:
        statement = _compiled(level, actor, query.with_deleted, query.condition, query.order, counted=counted)
    return statement.run(values, query.page.limit, query.page.offset) if statement else []


@lru_cache(maxsize=512)
def _kept(level: Level, shape: _PageShape) -> statements.Statement | None:
    """The statement for every request of that shape; None where a lookup changes its value on the way."""
    marked = Marked()
    try:
        actor = marked.actor(shape.actor)
        first = len(actor_values(actor))
        numbers = count(first)
        condition = marked.condition(shape.condition, numbers)
        statement = _compiled(level, actor, shape.with_deleted, condition, shape.order, counted=shape.counted)
        if statement is None:
            return None
        demanded = range(first, next(numbers))
        template = marked.template(statement.parameters, demanded=demanded, times=1 + shape.counted)
    except Unmarkable:
        return None
    return statements.Statement(statement.text, template)


def _compiled(
    level: Level, actor: Actor, with_deleted: bool, condition: Condition, order: Order, *, counted: bool
) -> statements.Statement | None:
    queryset = _chosen(level, actor, with_deleted, condition)
    expression = sort_expression(order.key, actor, with_deleted=with_deleted)
    rows = statements.ordered(queryset, expression, descending=order.descending)
    return statements.page(rows, level.columns, counted=counted)


def _chosen(level: Level, actor: Actor, with_deleted: bool, condition: Condition) -> "QuerySet[Any]":
    gate = partial(visible, actor=actor, with_deleted=with_deleted)
    return gate(level.model).filter(as_q(condition, level.model, gate))


def _count(level: Level, query: ListQuery, actor: Actor) -> int:
    statement = statements.count(_chosen(level, actor, query.with_deleted, query.condition))
    return int(statement.run()[0][0]) if statement else 0
