"""Which rows: a frozen tree of conditions, which becomes one Q.

Trees that differ only in their values share one compiled statement (kit/reads/sql/placeholders.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import ForeignKey, ManyToManyField, ManyToOneRel, Q, QuerySet


@dataclass(frozen=True, slots=True)
class Is:
    """One lookup with its cleaned value."""

    lookup: str
    value: Any
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Every:
    """Every part holds; without parts, always true."""

    parts: tuple["Condition", ...] = ()


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part holds."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold. As with `QuerySet.exclude`, a column without a value equals nothing."""

    part: "Condition"


@dataclass(frozen=True, slots=True)
class Some:
    """The part holds for at least one row of the relation that the caller may see.

    relation: the ORM's name of a foreign key, a many-to-many field, or the way back along one.
    """

    relation: str
    part: "Condition"


@dataclass(frozen=True, slots=True)
class Words:
    """Every word is found in the row's text.

    columns: the searched columns, as ORM paths. words: folded (kit/search/text.py).
    """

    columns: tuple[str, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The part holds for the row's search entry or, if the model has none, for the row with its document."""

    part: "Condition"


Condition = Is | Every | Either | Not | Some | Words | Found
EVERYTHING = Every()
Gate = Callable[[type[models.Model]], "QuerySet[models.Model]"]
"""The rows of a model that the caller may see."""


def through(path: str, part: Condition) -> Condition:
    """The part, asked of what lies behind a chain of relations: `variants.options`."""
    for relation in reversed(path.split(".")):
        part = Some(relation, part)
    return part


def decide(condition: Condition, holds: Callable[[Is], bool]) -> bool:
    """Whether the condition holds for an object that is in no table; `holds` evaluates each lookup."""
    match condition:
        case Is():
            return holds(condition)
        case Some() | Words() | Found():
            raise TypeError(f"{condition} is asked of rows of a table")
        case Every(parts):
            return all(decide(part, holds) for part in parts)
        case Either(parts):
            return any(decide(part, holds) for part in parts)
        case Not(part):
            return not decide(part, holds)


def lookups(condition: Condition) -> Iterator[Is]:
    """Every lookup in the tree."""
    match condition:
        case Is():
            yield condition
        case Some(_, part) | Found(part) | Not(part):
            yield from lookups(part)
        case Every(parts) | Either(parts):
            for part in parts:
                yield from lookups(part)


def parts_of(condition: Condition) -> Iterator[Condition]:
    """The parts that must all hold."""
    match condition:
        case Every(parts):
            for part in parts:
                yield from parts_of(part)
        case _:
            yield condition


def most_words(condition: Condition) -> int:
    """The number of searched words; of alternatives, that of the longest."""
    match condition:
        case Words(_, words):
            return len(words)
        case Either(parts):
            return max(map(most_words, parts))
        case Some(_, part):
            return most_words(part)
    return 0


def as_q(condition: Condition, model: type[models.Model], gate: Gate) -> Q:
    """The condition for `QuerySet.filter` on the model.

    Related rows are asked for in subqueries, never joined: no row comes twice.
    """
    match condition:
        case Is(lookup, value, negated):
            return ~Q(**{lookup: value}) if negated else Q(**{lookup: value})
        case Some():
            return _has_some(condition, model, gate)
        case Not(part):
            refused = as_q(part, model, gate)
            return ~refused if refused else Q(pk__in=())  # an empty Q is always true, and so is its negation
        case Found(part):
            return _is_found(part, model, gate)
        case Words():
            raise TypeError("convert words by answerable() first (kit/search/conditions.py)")
        case Every(parts):
            return Q(*filter(None, (as_q(part, model, gate) for part in parts)))
        case Either(parts) if len(parts) > 1 and any(map(_looks_through, parts)):
            return Q(pk__in=_among_tables(parts, model, gate))
        case Either(parts):
            alternatives = [as_q(part, model, gate) for part in parts]
            # An empty Q is always true; the ORM would leave it out of the alternatives instead.
            return Q(*alternatives, _connector=Q.OR) if all(alternatives) else Q()


def _looks_through(condition: Condition) -> bool:
    match condition:
        case Is() | Words():
            return False
        case Some() | Found():
            return True
        case Not(part):
            return _looks_through(part)
        case Every(parts) | Either(parts):
            return any(map(_looks_through, parts))


def _among_tables(
    parts: tuple[Condition, ...], model: type[models.Model], gate: Gate
) -> "QuerySet[models.Model, object]":
    """The keys of the rows that hold one of the parts, table by table: an OR across tables can use no index."""
    own = tuple(part for part in parts if not _looks_through(part))
    apart = [part for part in parts if _looks_through(part)]
    first, *others = [keys_of(part, model, gate) for part in ((Either(own), *apart) if own else apart)]
    return first.union(*others)


def keys_of(part: Condition, model: type[models.Model], gate: Gate) -> "QuerySet[models.Model, object]":
    """The keys of the rows for which the part holds; read from related tables alone where these have them."""
    condition = as_q(part, model, gate)
    match part, condition.children:
        case Some() | Found() | Either(), [("pk__in", QuerySet() as keys)]:
            return keys
    return QuerySet(model).filter(condition).order_by().values("pk")


def entry_relation(model: type[models.Model]) -> Any | None:
    """The relation to the model's search entries; None where its rows are searched themselves."""
    return next((field for field in model._meta.related_objects if field.name == "search"), None)


def _is_found(part: Condition, model: type[models.Model], gate: Gate) -> Q:
    relation = entry_relation(model)
    if relation is None:
        return as_q(part, model, gate)
    entries: QuerySet[models.Model] = (
        QuerySet(relation.related_model).filter(as_q(part, relation.related_model, gate)).order_by()
    )
    return Q(pk__in=entries.values(relation.field.attname))


def _has_some(some: Some, model: type[models.Model], gate: Gate) -> Q:
    field: Any = model._meta.get_field(some.relation)
    if not field.is_relation:
        raise TypeError(f"{some.relation} of {model.__name__} leads to no other rows")
    related = gate(field.related_model)
    related = related.filter(as_q(some.part, field.related_model, gate)).order_by()
    match field:
        case ForeignKey():
            return Q(**{f"{field.attname}__in": related.values("pk")})
        case ManyToOneRel():
            return Q(pk__in=related.values(field.field.attname))
        case ManyToManyField():
            own, other, table = field.m2m_field_name(), field.m2m_reverse_field_name(), field.remote_field.through
        case _:  # the way back along one
            own, other, table = field.field.m2m_reverse_field_name(), field.field.m2m_field_name(), field.through
    pairs: QuerySet[models.Model] = QuerySet(table).filter(**{f"{other}__in": related.values("pk")})
    return Q(pk__in=pairs.values(f"{own}_id"))
