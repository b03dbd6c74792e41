"""Lists that a narrow table answers: it has a row for each row that the actor may see (ResourceQuerySet.listed).

Another table may list these rows by group, for example by tag (ResourceQuerySet.listed_by).

The keys of a page are read from one of its indexes, in their order, and only then the rows of the page are looked up.
So an offset costs no more than the index entries that it skips.
"""

from collections.abc import Sequence
from typing import Any, cast

from django.db.models import F, Model, Q, QuerySet
from django.db.models.expressions import Combinable, RawSQL

from kit.domain.actor import Actor
from kit.query.conditions import Condition, Every, Gate, Is, Some, as_q, keys_of, parts_of
from kit.reads.sql import statements
from kit.reads.sql.statements import Column, Statement

Listing = QuerySet[Any]


def candidates(
    rows: Any, condition: Condition, model: type[Model], gate: Gate, actor: Actor, *, with_deleted: bool
) -> list[Listing]:
    """The listed rows that meet the condition, from each table that can answer it. The one with fewer rows is first.

    rows: all that the actor may see.
    """
    listing = rows.listed(actor, with_deleted=with_deleted)
    listings = (
        _of_one_group(rows, condition, model, gate, actor, with_deleted=with_deleted),
        None if listing is None else _filtered(listing, condition, model, gate),
    )
    return [each for each in listings if each is not None]


def sorts_by(listing: Listing, model: type[Model], expression: Combinable | None) -> bool:
    """Whether the listing has the column that the rows are sorted by. expression: None means the id."""
    return expression is None or any(expression == F(column) for column in _columns(listing, model))


def page(
    listing: Listing,
    model: type[Model],
    columns: Sequence[Column],
    expression: Combinable | None,
    *,
    descending: bool,
    total: Statement | None,
) -> Statement | None:
    """Like statements.page, for the rows of the model that are listed."""
    keys = statements.of(statements.ordered(listing, expression, descending=descending, key="id"), ["id"])
    if keys is None:
        return None
    window = RawSQL(f"{keys.text} LIMIT %s OFFSET %s", (*keys.parameters, *statements.WINDOW))
    on_page: QuerySet[Model] = QuerySet(model).filter(pk__in=window)
    rows = statements.of(statements.ordered(on_page, expression, descending=descending), columns)
    if rows is None or total is None:
        return rows
    return statements.with_column(rows, Statement(f"({total.text})", total.parameters))


def _of_one_group(
    rows: Any, condition: Condition, model: type[Model], gate: Gate, actor: Actor, *, with_deleted: bool
) -> Listing | None:
    """Like `_filtered`, if the condition asks for one group, such as a tag, and a table lists the rows by group."""
    conditions = list(parts_of(condition))
    for place, part in enumerate(conditions):
        match part:
            case Some(relation, (Is("id", _, False) | Is("id__in", (_,), False)) as of_group):
                listing = rows.listed_by(relation, actor, with_deleted=with_deleted)
                others = Every((*conditions[:place], *conditions[place + 1 :]))
                filtered = None if listing is None else _filtered(listing, others, model, gate)
                if filtered is not None:
                    related = cast(type[Model], model._meta.get_field(relation).related_model)
                    group = gate(related).filter(as_q(of_group, related, gate)).order_by()
                    return filtered.filter(group_id__in=group.values("pk"))
    return None


def _filtered(listing: Listing, condition: Condition, model: type[Model], gate: Gate) -> Listing | None:
    """The listed rows that meet the condition on the model's rows. None if the listing lacks a column for that."""
    conditions = [_listing_condition(part, listing, model, gate) for part in parts_of(condition)]
    known = [each for each in conditions if each is not None]
    return listing.filter(*known) if len(known) == len(conditions) else None


def _listing_condition(condition: Condition, listing: Listing, model: type[Model], gate: Gate) -> Q | None:
    """The condition on the listing's rows, or None if the listing cannot answer it."""
    match condition:
        case Is(lookup) if lookup.partition("__")[0] in _columns(listing, model):
            return as_q(condition, listing.model, gate)
        case Some():
            return Q(id__in=keys_of(condition, model, gate))
    return None


def _columns(listing: Listing, model: type[Model]) -> set[str]:
    """The columns that both have."""
    listed, own = ({str(field.column) for field in each._meta.concrete_fields} for each in (listing.model, model))
    return listed & own
