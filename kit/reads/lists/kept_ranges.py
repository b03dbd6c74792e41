"""Lists of a range of values, such as the orders since a day, by kept counts of ranges (kit/derived/kept_counts).

The count is the sum of the counts of whole ranges, and the number of rows of the range in which the bound lies. Pages
in the order of the rows' numbers begin at the first number of these ranges, instead of passing all rows before it.
"""

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import F, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable

from kit.derived.kept_counts import KeptRangeCounts
from kit.derived.value_ranges import RangeStart
from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from kit.query.conditions import Condition, Is, parts_of
from kit.reads.sql import statements
from kit.reads.sql.statements import Statement

Counts = QuerySet[KeptRangeCounts]
_COMPLEMENTS = {"gt": "lte", "gte": "lt"}
"""The lower bounds, and the upper bounds of all other rows."""
_OPERATORS = frozenset({*_COMPLEMENTS, *_COMPLEMENTS.values()})


@dataclass(frozen=True, slots=True)
class _Bound:
    """`column`, compared with `value` by `operator`."""

    column: str
    operator: str
    value: Any


def has_bounds(condition: Condition) -> bool:
    """Whether the condition is a bound, or has one among the parts that must all hold."""
    return any(map(_bound, parts_of(condition)))


def id_bounds(condition: Condition) -> dict[str, Any]:
    """The bounds of the ids of all rows that meet the condition, by operator."""
    bounds = filter(None, map(_bound, parts_of(condition)))
    return {bound.operator: bound.value for bound in bounds if bound.column == "id"}


def range_count(rows: ResourceQuerySet, condition: Condition, actor: Actor, *, with_deleted: bool) -> Statement | None:
    """The number of rows that the actor may see and that meet the condition, as one row of one value.

    None unless the condition is an upper bound, a lower bound or both, of a column whose ranges are counted.
    """
    counts = rows.kept_range_counts(actor, with_deleted=with_deleted)
    if counts is None:
        return None
    bounds = [_bound(part) for part in parts_of(condition)]
    columns = {bound.column if bound else "" for bound in bounds}
    lower = [bound for bound in bounds if bound and bound.operator in _COMPLEMENTS]
    upper = [bound for bound in bounds if bound and bound.operator not in _COMPLEMENTS]
    if len(columns) != 1 or columns.isdisjoint(counts.model.ranges) or len(lower) > 1 or len(upper) > 1:
        return None
    (column,) = columns
    end = _rows_below(rows, counts, upper[0]) if upper else _sum(counts.filter(**{f"{column}__isnull": False}))
    if not lower:
        return Statement(f"SELECT {end.text}", end.parameters)
    start = _rows_below(rows, counts, _Bound(column, _COMPLEMENTS[lower[0].operator], lower[0].value))
    larger = "GREATEST" if connection.vendor == "postgresql" else "MAX"
    return Statement(f"SELECT {larger}(0, {end.text} - ({start.text}))", (*end.parameters, *start.parameters))


def numbered_from(
    rows: ResourceQuerySet,
    condition: Condition,
    actor: Actor,
    expression: Combinable | None,
    *,
    descending: bool,
    with_deleted: bool,
) -> Q:
    """From which number on the rows of the condition's ranges come, in the order of the numbers or backwards.

    True for all rows that meet the condition. An end besides would have PostgreSQL expect few rows, and sort them all.
    expression: what the rows are sorted by. For another order than that of the numbers, nothing.
    """
    counts = rows.kept_range_counts(actor, with_deleted=with_deleted)
    if counts is None or expression != F(counts.model.numbered):
        return Q()
    numbered, ranges = counts.model.numbered, counts.model.ranges
    column, comparison, order = ("last", "lte", "-last") if descending else ("first", "gte", "first")
    begins = Q()
    for bound in filter(None, map(_bound, parts_of(condition))):
        if bound.column in ranges and bound.column != numbered:
            numbers = counts.filter(_within(counts, bound)).order_by(order).values(column)[:1]
            begins &= Q(**{f"{numbered}__{comparison}": Subquery(numbers)})
    return begins


def _bound(condition: Condition) -> _Bound | None:
    match condition:
        case Is(lookup, value, False):
            column, _, operator = lookup.rpartition("__")
            return _Bound(column, operator, value) if operator in _OPERATORS else None
    return None


def _rows_below(rows: ResourceQuerySet, counts: Counts, upper: _Bound) -> Statement:
    """An expression for the number of rows that meet the upper bound."""
    start = _start(counts, upper)
    whole = _sum(counts.filter(**{f"{upper.column}__lt": start}))
    last = statements.count(
        rows.filter(**{f"{upper.column}__gte": start, f"{upper.column}__{upper.operator}": upper.value})
    )
    return Statement(f"{whole.text} + ({last.text})", (*whole.parameters, *last.parameters)) if last else whole


def _sum(counts: Counts) -> Statement:
    numbers = statements.of(counts.order_by(), ["number"])
    if numbers is None:
        return Statement("0")
    return Statement(f"(SELECT COALESCE(SUM(number), 0) FROM ({numbers.text}) AS counts)", numbers.parameters)  # noqa: S608 - the ORM's text


def _within(counts: Counts, bound: _Bound) -> Q:
    """The ranges with values that meet the bound."""
    if bound.operator in _COMPLEMENTS:
        return Q(**{f"{bound.column}__gte": _start(counts, bound)})
    return Q(**{f"{bound.column}__lte": bound.value})


def _start(counts: Counts, bound: _Bound) -> RangeStart:
    """Where the range of the bound's value starts."""
    field: Any = counts.model._meta.get_field(bound.column)
    return RangeStart(Value(bound.value, output_field=field), counts.model.ranges[bound.column])
