"""Exact counts of lists as sums of kept counts (kit/derived/kept_counts.py)."""

from collections.abc import Set as AbstractSet

from django.db.models import QuerySet

from kit.domain.actor import Actor
from kit.domain.base_model import ResourceQuerySet
from kit.query.conditions import Condition, Either, Every, Is, Not, as_q
from kit.reads.sql import statements
from kit.reads.sql.statements import Statement


def kept_count(rows: ResourceQuerySet, condition: Condition, actor: Actor, *, with_deleted: bool) -> Statement | None:
    """The number of rows that the actor may see and that meet the condition, as one row of one value.

    None if no counts are kept that answer the condition.
    """
    counts = rows.kept_counts(actor, with_deleted=with_deleted)
    if counts is None or not _is_answered(condition, counts.model.answered):
        return None
    numbers = statements.of(counts.filter(as_q(condition, counts.model, QuerySet)).order_by(), ["number"])
    return numbers and Statement(f"SELECT COALESCE(SUM(number), 0) FROM ({numbers.text}) AS counts", numbers.parameters)  # noqa: S608 - the ORM's text


def _is_answered(condition: Condition, lookups: AbstractSet[str]) -> bool:
    match condition:
        case Is(lookup):
            return lookup in lookups
        case Not(part):
            return _is_answered(part, lookups)
        case Every(parts) | Either(parts):
            return all(_is_answered(part, lookups) for part in parts)
        case _:
            return False
