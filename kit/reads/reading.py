"""Reads: a page of a resource, or one row of it by id. No model instance is built."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import count
from typing import Any

from kit.database.raw_sql import Row
from kit.domain.actor import Actor
from kit.query.conditions import EVERYTHING, Condition, Every, Is
from kit.query.paging import LARGEST_OFFSET, Order, Page
from kit.query.selection import Selection
from kit.reads.computed_orders import ComputedOrder, rows_of
from kit.reads.declarations.fields import ResourceSerializerClass
from kit.reads.declarations.visibility import visible
from kit.reads.lists.kept_ranges import has_bounds
from kit.reads.lists.list_statements import Part, compiled
from kit.reads.plans.bounds import AnswerLimit
from kit.reads.plans.levels import Level
from kit.reads.plans.plan import compile_plan
from kit.reads.plans.rows import Answer
from kit.reads.ranked_orders import engine_order, split_order, with_markers
from kit.reads.relatives import Reader
from kit.reads.sql import statements
from kit.reads.sql.placeholders import ActorShape, NoPlaceholder, Placeholders, actor_shape, actor_values, split
from kit.search.conditions import answerable, has_words

MOST_KEPT_VALUES = 64
"""A list of values has a shape for each of its lengths: kept for all of them, statements would fill the memory."""


@dataclass(frozen=True, slots=True)
class WiderCondition:
    """The condition by which rows are read instead, if fewer than that number of rows meet the query's own."""

    condition: Condition
    number: int


@dataclass(frozen=True, slots=True)
class ListQuery:
    """One read: which fields, which rows, in which order, how many; relations that a flag widens to chain or tree.

    wider: for a list. answer_limit: of what the answer holds, where it is shared with other reads.
    """

    selection: Selection
    condition: Condition = EVERYTHING
    order: Order = Order()
    page: Page = Page(limit=1)
    with_deleted: bool = False
    widened: frozenset[str] = frozenset()
    context: Mapping[str, Any] = field(default_factory=dict)
    wider: WiderCondition | None = None
    answer_limit: AnswerLimit | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of answers and the exact number of rows on all pages."""

    answers: list[Answer]
    count: int


def read_page(serializer_class: ResourceSerializerClass, query: ListQuery, actor: Actor) -> Listed:
    """The page, its relations, and the count: one statement for page and count, one for each relation.

    A page behind the last row costs one statement more, for the count alone, and so does a wider condition if it is
    needed. Raises InvalidData for more than the answer_limit.
    """
    level = compile_plan(serializer_class, query.selection, query.widened, with_deleted=query.with_deleted)
    page = query.page
    rows = _page(level, query, actor) if page.limit else []
    if query.wider is not None and (rows[0][-1] if rows else 0) < query.wider.number:
        query = replace(query, condition=query.wider.condition)
        rows = _page(level, query, actor) if page.limit else []
    if not rows:
        counted = _fetch_rows(level, query, actor, "count") if page.offset or not page.limit else []
        return Listed([], counted[0][0] if counted else 0)
    answer_limit = query.answer_limit or AnswerLimit()
    answer_limit.take_rows(level, len(rows))
    reader = Reader(actor, query.with_deleted, query.context, answer_limit)
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
    rows = _fetch_rows(level, by_id, actor, "page", 1, 0)
    answers = Reader(actor, query.with_deleted, query.context, query.answer_limit or AnswerLimit()).read(level, rows)
    return answers[0] if answers else None


@dataclass(frozen=True, slots=True)
class _Shape:
    """What two requests share when one statement serves both: everything but the values."""

    part: Part
    actor: ActorShape
    with_deleted: bool
    condition: Condition
    order: Order


def _page(level: Level, query: ListQuery, actor: Actor) -> list[Row]:
    """The rows of the page, each with the number of all rows as its last value."""
    order, page = query.order.key, query.page
    if not isinstance(order, ComputedOrder):
        return _fetch_rows(level, query, actor, "counted page", page.limit, page.offset)
    matching = _statement(level, query, actor, "keys")
    if matching is None:
        return []
    values = order.values(query.context, query.with_deleted)
    return rows_of(level, order.page(matching, values, page, descending=query.order.descending))


def _fetch_rows(level: Level, query: ListQuery, actor: Actor, part: Part, *window: int) -> list[Row]:
    """The rows of one statement; `window`, of a page, is its limit and offset."""
    statement = _statement(level, query, actor, part, *window)
    return statement.run() if statement else []


def _statement(level: Level, query: ListQuery, actor: Actor, part: Part, *window: int) -> statements.Statement | None:
    """One statement with its values."""
    condition = query.condition
    if has_words(condition):
        condition = answerable(condition, level.model, partial(visible, actor=actor, with_deleted=query.with_deleted))
    statement: statements.Statement | None = None
    order = Order() if part in ("count", "keys") else engine_order(query.order, condition)
    emptied, compared = split(condition)
    shape_of_order, searched = split_order(order)
    values = (*actor_values(actor), *compared, *searched)
    if len(compared) <= MOST_KEPT_VALUES and order in (query.order, Order()):
        shape = _Shape(part, actor_shape(actor), query.with_deleted, emptied, shape_of_order)
        statement = _kept_statement(level, shape)
    if statement is None:
        statement = compiled(level, actor, query.with_deleted, condition, order, part=part)
    return statement.bound((*values, min(sum(window), LARGEST_OFFSET), *window)) if statement else None


@lru_cache(maxsize=512)
def _kept_statement(level: Level, shape: _Shape) -> statements.Statement | None:
    """The statement for every request of that shape; None where a lookup changes its value on the link."""
    placeholders = Placeholders()
    try:
        actor = placeholders.actor(shape.actor)
        first = len(actor_values(actor))
        numbers = count(first)
        condition = placeholders.condition(shape.condition, numbers)
        required = range(first, next(numbers))
        patterns = count(required.stop)  # a rank may leave one out
        order = with_markers(shape.order, lambda: placeholders.value(str, next(patterns)))
        statement = compiled(level, actor, shape.with_deleted, condition, order, part=shape.part)
        if statement is None:
            return None
        times = None if has_words(condition) or has_bounds(condition) else 2 if shape.part == "counted page" else 1
        template = placeholders.template(statement.parameters, required=required, times=times)
    except NoPlaceholder:
        return None
    return statements.Statement(statement.text, template)
