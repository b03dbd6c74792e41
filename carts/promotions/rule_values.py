"""The values that rules can have, with what people call them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Q

from carts.promotions.rule_declarations import FieldType, RuleAttribute, Source
from kit.domain.actor import Actor

Option = tuple[str, str]
"""A value and its label."""
_FLAGS: Sequence[Option] = (("true", "Yes"), ("false", "No"))


def labels(named: Iterable[tuple[RuleAttribute, Sequence[str]]], actor: Actor) -> Mapping[tuple[str, str], str]:
    """The labels of values, by attribute and value; of rows that the actor may see. One statement for each table."""
    by_source: dict[Source, list[tuple[str, str]]] = {}
    for declared, values in named:
        source = declared.rows()
        if source is not None and actor.may(source.permission):
            by_source.setdefault(source, []).extend((declared.value, value) for value in values)
    found: dict[tuple[str, str], str] = {}
    for source, pairs in by_source.items():
        rows = source.model._default_manager.filter(pk__in={value for _, value in pairs})
        known = dict(rows.values_list("pk", source.label))
        found |= {pair: known[pair[1]] for pair in pairs if pair[1] in known}
    return found


def options(
    field_type: str, source: Source | None, actor: Actor, *, q: str, values: Collection[str], offset: int, limit: int
) -> tuple[list[Option], int]:
    """A page of the values that rules can name, and their number. Two statements. Raises Forbidden.

    q: a part of the label. values: those to choose from, if there are any.
    """
    if source is None:
        flags = _FLAGS if field_type == FieldType.FLAG else ()
        given = [each for each in flags if q.lower() in each[1].lower() and (not values or each[0] in values)]
        return given[offset : offset + limit], len(given)
    actor.require(source.permission)
    chosen = Q(**{f"{source.label}__icontains": q}) & (Q(pk__in=values) if values else Q())
    rows = source.rows().filter(chosen)
    page = rows.order_by(source.label, "pk").values_list("pk", source.label)[offset : offset + limit]
    return [(key, label or key) for key, label in page], rows.count()
